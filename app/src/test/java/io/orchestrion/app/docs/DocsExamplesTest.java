package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.app.ServerProcess;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the pages tell a reader to type works as it stands: the shell blocks of a page run in
/// order, in one shell, for an account of their own. `-Dorchestrion.page=queue` runs only pages
/// with that in their name.
class DocsExamplesTest {
    private static final Path DOCS = Path.of(System.getProperty("orchestrion.root"), "docs");
    private static final Pattern SHELL = Pattern.compile("(?m)^```sh\n(.*?)^```", Pattern.DOTALL);
    private static final Pattern CALL = Pattern.compile("(?m)^(.*[ (|])?call /");

    /// The function that docs/start/examples.md gives to the reader.
    private static final Pattern FUNCTION = Pattern.compile("(?m)^call\\(\\) .*$");

    private static Path data;
    private static Path place;
    private static TestDatabase database;
    private static ServerProcess server;

    @BeforeAll
    static void serve() {
        data = Folders.temporary("orchestrion-docs-");
        database = TestPostgres.get().newDatabase();
        server = ServerProcess.startOn(database.options(), data);
        place = Folders.temporary("orchestrion-docs-place-");
        preparePlace();
    }

    @AfterAll
    static void stop() {
        server.close();
        database.close();
        Folders.delete(data);
        Folders.delete(place);
    }

    /// As the reader's folder is: with the program, here without its launcher, and the examples.
    private static void preparePlace() {
        Path program = place.resolve("orchestrion");
        try {
            Files.writeString(program, "#!/bin/sh\nexec " + ServerProcess.program() + " \"$@\"\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            Files.createSymbolicLink(
                    place.resolve("examples"), DOCS.resolveSibling("examples").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> CALL.matcher(shellOf(file)).find())
                    .map(file -> DOCS.relativize(file).toString())
                    .filter(page -> page.contains(System.getProperty("orchestrion.page", "")))
                    .sorted()
                    .toList();
        }
    }

    /// It may end with the first match, while curl is still writing: that is no failure of curl.
    private static final String WHOLE_GREP =
            "grep() { local code=0; command grep \"$@\" || code=$?;"
                    + " [ ! -p /dev/stdin ] || cat > /dev/null; return $code; }\n";

    private static String shellOf(Path page) {
        return SHELL.matcher(read(page))
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("\n"));
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new IllegalStateException(page.toString(), e);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void the_examples_of_a_page_run_as_they_stand(String page) throws Exception {
        var function = FUNCTION.matcher(read(DOCS.resolve("start/examples.md")));
        assertThat(function.find()).isTrue();
        var builder =
                new ProcessBuilder(
                        "bash",
                        "-euc",
                        "set -o pipefail\n"
                                + WHOLE_GREP
                                + function.group()
                                + "\n"
                                + shellOf(DOCS.resolve(page)));
        builder.directory(place.toFile());
        builder.redirectInput(new File("/dev/null"));
        builder.environment().put("ORCHESTRION_URL", server.address());
        builder.environment().put("ORCHESTRION_KEY", newAccount());
        Process shell = builder.redirectErrorStream(true).start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
    }

    /// On the unlimited plan, as the reader's own is on a laptop.
    private static String newAccount() {
        Reply registered = server.api().post("/v1/keys/register", "{}");
        database.execute(
                "update account set plan = ? where account_id = ?",
                Plan.UNLIMITED_ID,
                UUID.fromString(registered.text("/accountId")));
        return registered.text("/apiKey");
    }
}
