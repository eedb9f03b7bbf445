package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.exit.ExitCode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Runs the script as a process, with folders that look like JDKs and print how they were called.
@Timeout(180)
class LauncherTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("orchestrion.root", ".."), "orchestrion");

    @TempDir Path temp;
    private Path jdks;
    private Path installed;
    private final Map<String, String> environment = new HashMap<>();

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void install() throws IOException {
        jdks = Files.createDirectory(temp.resolve("jdks"));
        installed = copyOfScript(temp.resolve("installed"));
        jar(installed.resolveSibling("lib/orchestrion-app.jar"));
        jar(installed.resolveSibling("lib/b.jar"));
        jar(installed.resolveSibling("lib/A.jar"));
        environment.put("ORCHESTRION_JVM_ROOTS", jdks.toString());
        environment.put("ORCHESTRION_AOT", "off");
        environment.put("HOME", temp.toString());
    }

    @Test
    void the_newest_java_that_will_do_is_taken() throws Exception {
        jdk("old", "17.0.15");
        jdk("eight", "1.8.0_442");
        jdk("new", "25.0.3");
        jdk("newer", "26-ea");
        jdk("between", "25");
        Ended ended = run(installed, "version");
        assertThat(ended.code()).isZero();
        assertThat(ended.out()).startsWith("newer ").contains("io.orchestrion.app.Main version");
    }

    @Test
    void a_java_home_that_is_too_old_is_passed_over() throws Exception {
        environment.put("JAVA_HOME", jdk("old", "17.0.15").toString());
        jdk("new", "25.0.3");
        assertThat(run(installed, "version").out()).startsWith("new ");
    }

    @Test
    void a_java_that_somebody_named_goes_before_a_newer_one() throws Exception {
        jdk("newer", "27");
        environment.put("JAVA_HOME", jdk("home", "25").toString());
        assertThat(run(installed).out()).startsWith("home ");
        environment.put("ORCHESTRION_JAVA_HOME", jdk("own", "26").toString());
        assertThat(run(installed).out()).startsWith("own ");
        environment.put("ORCHESTRION_JAVA_HOME", jdk("old", "21").toString());
        Ended ended = run(installed);
        assertThat(ended.out()).startsWith("home ");
        assertThat(ended.err()).contains("ORCHESTRION_JAVA_HOME=").contains("looking elsewhere");
    }

    @Test
    void the_java_of_the_path_is_found_through_its_links() throws Exception {
        Path elsewhere = Files.move(jdk("path", "25"), temp.resolve("elsewhere"));
        Path bin = Files.createDirectory(temp.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("java"), elsewhere.resolve("bin/java"));
        environment.put("PATH", bin + ":/usr/bin:/bin");
        assertThat(run(installed).out()).startsWith("path ");
    }

    @Test
    void a_bundle_as_on_macos_is_looked_into() throws Exception {
        Path bundle = Files.createDirectories(temp.resolve("jdks/temurin.jdk/Contents"));
        Files.move(jdk("mac", "25"), bundle.resolve("Home"));
        assertThat(run(installed).out()).startsWith("mac ");
    }

    @Test
    void without_a_java_it_tells_how_to_get_one_and_what_was_found() throws Exception {
        Path old = jdk("old", "21.0.2");
        Ended ended = run(installed, "serve");
        assertThat(ended.code()).isEqualTo(ExitCode.NO_JAVA.number());
        assertThat(ended.err())
                .contains("needs a JDK 25 or newer")
                .contains("Java 21 in " + old)
                .contains("apt-get install openjdk-25-jdk")
                .contains("temurin-25-jdk")
                .contains("brew install openjdk@25")
                .contains("sdk install java")
                .contains("ORCHESTRION_JAVA_HOME=");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void it_runs_from_another_folder_and_through_links() throws Exception {
        jdk("new", "25");
        Path bin = Files.createDirectory(temp.resolve("bin"));
        Path absolute = Files.createSymbolicLink(bin.resolve("orchestrion"), installed);
        Path relative = Files.createSymbolicLink(temp.resolve("o"), Path.of("bin/orchestrion"));
        String expected = installed.getParent().toRealPath() + "/lib/A.jar:";
        for (Path start : List.of(installed, absolute, relative)) {
            assertThat(run(start).out()).contains("-cp " + expected);
        }
        environment.put("PATH", bin + ":/usr/bin:/bin");
        assertThat(run(Path.of("orchestrion")).out()).contains("-cp " + expected);
    }

    @Test
    void java_gets_a_fixed_class_path_a_bounded_heap_and_the_arguments_as_they_are()
            throws Exception {
        jdk("new", "25");
        environment.put("ORCHESTRION_HEAP", "2g");
        environment.put("ORCHESTRION_JVM_OPTIONS", "-Da=1 -Db=2");
        String lib = installed.getParent().toRealPath() + "/lib/";
        assertThat(run(installed, "serve", "--data", "/my data").out())
                .contains("-cp " + lib + "A.jar:" + lib + "b.jar:" + lib + "orchestrion-app.jar ")
                .contains(
                        "-Xms32m -Xmx2g ",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+UseCompactObjectHeaders")
                .contains("-Da=1 -Db=2")
                .endsWith("Main serve --data /my data\n[/my data]\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lots", "1x", "-1g", "1g -Dx=y"})
    void a_heap_that_is_no_size_is_refused(String heap) throws Exception {
        jdk("new", "25");
        environment.put("ORCHESTRION_HEAP", heap);
        Ended ended = run(installed);
        assertThat(ended.code()).isEqualTo(ExitCode.BAD_SETTINGS.number());
        assertThat(ended.err()).contains("ORCHESTRION_HEAP").contains(heap);
    }

    @Test
    void a_signal_reaches_java() throws Exception {
        Path jdk = jdk("new", "25");
        program(
                jdk.resolve("bin/java"),
                "trap 'exit 42' TERM\necho up\nwhile :; do sleep 0.05; done");
        Process process = process(installed, "serve").start();
        assertThat(process.inputReader().readLine()).isEqualTo("up");
        process.destroy();
        assertThat(process.waitFor()).isEqualTo(42);
    }

    @Test
    void the_first_use_builds_and_the_next_starts_at_once() throws Exception {
        jdk("new", "25");
        Path script = checkout();
        Ended first = run(script, "version");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out()).contains("Main version");
        assertThat(first.err())
                .contains("Building (first use)", "[2/6] Orchestrion kernel", "built in");
        Ended second = run(script, "version");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void a_changed_or_deleted_source_is_built_again_and_a_changed_test_is_not() throws Exception {
        jdk("new", "25");
        Path script = checkout();
        run(script);
        Path source = temp.resolve("checkout/kernel/src/main/java/A.java");
        Path test = temp.resolve("checkout/kernel/src/test/java/T.java");
        Files.setLastModifiedTime(test, FileTime.from(Instant.now().plusSeconds(5)));
        run(script);
        assertThat(builds()).isEqualTo(1);
        // A second later, as file systems that count in whole seconds need it.
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
        TimeUnit.MILLISECONDS.sleep(1100);
        assertThat(run(script).err()).contains("Building (the sources have changed)");
        run(script);
        assertThat(builds()).isEqualTo(2);
        Files.delete(source);
        run(script);
        assertThat(builds()).isEqualTo(3);
    }

    @Test
    void a_build_that_fails_says_where_its_log_is() throws Exception {
        jdk("new", "25");
        Path script = checkout();
        program(temp.resolve("checkout/mvnw"), "echo '[ERROR] A.java: no semicolon'; exit 1");
        Ended ended = run(script, "serve");
        assertThat(ended.code()).isEqualTo(ExitCode.BUILD_FAILED.number());
        assertThat(ended.err()).contains("no semicolon").contains("target/launcher/build.log");
        assertThat(ended.out()).isEmpty();
        assertThat(temp.resolve("checkout/target/launcher/lock")).doesNotExist();
    }

    @Test
    void a_java_without_a_compiler_does_not_build() throws Exception {
        Files.delete(jdk("jre", "26").resolve("bin/javac"));
        jdk("jdk", "25");
        assertThat(run(checkout()).out()).startsWith("jdk ");
    }

    @Test
    void the_start_up_cache_is_made_after_the_build_used_and_made_again_for_another_java()
            throws Exception {
        environment.remove("ORCHESTRION_AOT");
        jdk("new", "25");
        Path script = checkout();
        Path cache =
                temp.resolve("checkout/app/target/orchestrion/orchestrion.aot").toAbsolutePath();
        assertThat(run(script, "serve").out()).contains("-XX:AOTCache=");
        assertThat(cache).exists();
        assertThat(run(script, "version").out()).contains("-XX:AOTCache=");
        assertThat(run(script, "tasks", "list").out())
                .contains("-XX:AOTCache=")
                .contains("orchestrion-client.aot")
                .contains("io.orchestrion.cli.ClientProgram tasks list");
        jdk("newer", "26");
        assertThat(run(script, "version").out())
                .startsWith("newer ")
                .doesNotContain("-XX:AOTCache=");
        assertThat(run(script, "aot-train").code()).isZero();
        assertThat(run(script, "version").out()).startsWith("newer ").contains("-XX:AOTCache=");
    }

    @Test
    void a_training_that_fails_does_not_stop_the_start() throws Exception {
        environment.remove("ORCHESTRION_AOT");
        Path jdk = jdk("new", "25");
        program(
                jdk.resolve("bin/java"),
                "case \"$*\" in *aot-train* | *client-train*) exit 1;; *) echo \"started $*\";;"
                        + " esac");
        Ended ended = run(checkout(), "version");
        assertThat(ended.code()).isZero();
        assertThat(ended.out()).startsWith("started ").doesNotContain("-XX:AOTCache=");
    }

    private int builds() throws IOException {
        return Files.readAllLines(temp.resolve("checkout/builds")).size();
    }

    /// A checkout whose build takes no time and makes what the real one makes.
    private Path checkout() throws IOException {
        Path root = temp.resolve("checkout");
        Path script = copyOfScript(root);
        jar(root.resolve("pom.xml"));
        jar(root.resolve("kernel/pom.xml"));
        jar(root.resolve("kernel/src/main/java/A.java"));
        jar(root.resolve("kernel/src/main/java/B.java"));
        jar(root.resolve("kernel/src/test/java/T.java"));
        program(
                root.resolve("mvnw"),
                """
                echo "$*" >>builds
                echo '[INFO] Building Orchestrion kernel 0.1.0-SNAPSHOT                   [2/6]'
                sleep 0.5
                mkdir -p app/target/orchestrion/lib
                rm -f app/target/orchestrion/*.aot*
                : >app/target/orchestrion/lib/orchestrion-app.jar
                """);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
            }
        }
        return script;
    }

    private static Path copyOfScript(Path folder) throws IOException {
        Files.createDirectories(folder);
        return Files.copy(
                SCRIPT, folder.resolve("orchestrion"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static void jar(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.createFile(file);
    }

    private Path jdk(String name, String version) throws IOException {
        Path jdk = jdks.resolve(name);
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(
                jdk.resolve("release"),
                "IMPLEMENTOR=\"Test\"\nJAVA_RUNTIME_VERSION=\"%1$s+1\"\nJAVA_VERSION=\"%1$s\"\n"
                        .formatted(version));
        program(
                jdk.resolve("bin/java"),
                """
                for word in "$@"; do
                    case $word in -XX:AOTCacheOutput=*) : >"${word#*=}" ;; esac
                done
                echo "%s $*"
                for word in "$@"; do case $word in *' '*) echo "[$word]" ;; esac; done
                """
                        .formatted(name));
        program(jdk.resolve("bin/javac"), "");
        return jdk;
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private ProcessBuilder process(Path script, String... words) {
        var command = new java.util.ArrayList<>(List.of("/usr/bin/env", script.toString()));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        return builder;
    }

    private Ended run(Path script, String... words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(temp, "out", "");
        Path err = Files.createTempFile(temp, "err", "");
        Process process =
                process(script, words)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
