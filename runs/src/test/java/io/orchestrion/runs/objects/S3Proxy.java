package io.orchestrion.runs.objects;

import io.orchestrion.testkit.Until;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/// S3Proxy as a process of its own: a server that speaks S3 and keeps objects in a folder.
final class S3Proxy implements AutoCloseable {
    static final String SECRET = "the-secret";
    private static final String VERSION = "4.1.0";
    private static final String BUCKET = "artifacts";

    private final Process process;
    private final URI address;
    private final Path folder;

    private S3Proxy(Process process, URI address, Path folder) {
        this.process = process;
        this.address = address;
        this.folder = folder;
    }

    static S3Proxy start() throws Exception {
        Path folder = Files.createTempDirectory("s3proxy");
        Files.createDirectories(folder.resolve("data").resolve(BUCKET));
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        URI address = URI.create("http://127.0.0.1:" + port);
        Path properties = folder.resolve("s3proxy.properties");
        Files.writeString(
                properties,
                """
                s3proxy.endpoint=%s
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=the-key
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.identity=unused
                jclouds.credential=unused
                jclouds.filesystem.basedir=%s
                """
                        .formatted(address, SECRET, folder.resolve("data")));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                jar().toString(),
                                "--properties",
                                properties.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        var proxy = new S3Proxy(process, address, folder);
        try (var client = HttpClient.newHttpClient()) {
            Until.isTrue("S3Proxy answers", Duration.ofSeconds(90), () -> answers(client, address));
        } catch (Throwable e) {
            System.err.println(Files.readString(folder.resolve("log")));
            proxy.close();
            throw e;
        }
        return proxy;
    }

    private static boolean answers(HttpClient client, URI address) {
        try {
            client.send(
                    HttpRequest.newBuilder(address).build(),
                    HttpResponse.BodyHandlers.discarding());
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Where the build has put it, or where Maven keeps it. It is no library of the tests: it
    /// brings its own versions of half of theirs.
    private static Path jar() {
        String file = "s3proxy-" + VERSION + "-jar-with-dependencies.jar";
        return Stream.of(
                        Path.of("target", "s3proxy", file),
                        Path.of(
                                System.getProperty("user.home"),
                                ".m2/repository/org/gaul/s3proxy",
                                VERSION,
                                file))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new AssertionError("run Maven once: it fetches " + file));
    }

    /// Without the header for encryption, which this server refuses to be sent.
    S3Options options(String prefix, String secret) {
        return new S3Options(BUCKET, "us-east-1", address, prefix, "the-key", secret, true, null);
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
        try (var files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
