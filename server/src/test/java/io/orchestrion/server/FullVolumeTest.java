package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.Room;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.postgres.EmbeddedPostgres;
import io.orchestrion.postgres.PostgresOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The whole way with a volume that is really full, where this machine lets a test have one; what
/// the doors do is shown everywhere by FullDiskTest.
@Timeout(180)
class FullVolumeTest {
    private static final String TASK = "{\"type\":\"a\",\"payload\":{}}";

    @TempDir Path folder;

    private final Set<Integer> seen = new TreeSet<>();

    private Reply seen(Reply reply) {
        seen.add(reply.status());
        return reply;
    }

    private static int command(String... words) throws Exception {
        return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
    }

    private static Room room(EmbeddedPostgres postgres) {
        return new Room() {
            @Override
            public boolean full() {
                return postgres.full();
            }

            @Override
            public void make() {
                postgres.makeRoom();
            }
        };
    }

    /// Takes all that is left.
    private static void fill(Path file) throws IOException {
        byte[] piece = new byte[1 << 16];
        try (OutputStream out =
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                out.write(piece);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    @Test
    void a_volume_that_fills_up_costs_no_lease_and_no_hand() throws Exception {
        assumeThat(command("mount", "-t", "tmpfs", "-o", "size=384m", "tmpfs", folder.toString()))
                .as("this machine lets us mount")
                .isZero();
        try (var postgres = EmbeddedPostgres.start(PostgresOptions.in(folder.resolve("data")));
                var kernel =
                        new Kernel(
                                KernelOptions.on(
                                                DatabaseOptions.of(
                                                        postgres.jdbcUrl("postgres"),
                                                        postgres.user(),
                                                        postgres.password()))
                                        .withOwners(List.of(Jobs.owner()))
                                        .withRoom(room(postgres)))) {
            kernel.migrate();
            try (var server =
                    OrchestrionServer.start(kernel, TestServer.options().withHost(postgres))) {
                kernel.start();
                String key = kernel.identity().register("test", Plan.UNLIMITED_ID).key().reveal();
                Api api = Api.on(server.port(), new CatalogueCheck()).withKey(key);
                fillsUp(api, postgres);
            }
        } finally {
            command("umount", "-l", folder.toString());
        }
    }

    private void fillsUp(Api api, EmbeddedPostgres postgres) throws Exception {
        String held = api.post("/v1/tasks", TASK).text("/task/id");
        String last = api.post("/v1/tasks", TASK).text("/task/id");
        for (String id : List.of(held, last)) {
            assertThat(api.post("/v1/tasks/" + id + "/claim", "{}").status()).isEqualTo(200);
        }
        assertThat(api.get("/ready").status()).isEqualTo(200);

        Path filler = folder.resolve("filler");
        fill(filler);
        Until.isTrue(
                "no new work is taken",
                Duration.ofSeconds(30),
                () ->
                        seen(api.post("/v1/tasks", TASK)).status() == 507
                                && api.get("/ready").status() == 503);
        assertThat(api.get("/ready").text("/reasons/0")).isEqualTo("disk_full");
        assertThat(seen(api.post("/v1/tasks/" + held + "/heartbeat", "{}")).status())
                .isEqualTo(200);
        assertThat(seen(api.post("/v1/tasks/" + held + "/complete", "{}")).status()).isEqualTo(200);

        // Now somebody takes what the ballast gave, and the database dies of it.
        fill(filler);
        String large = "{\"result\":{\"text\":\"" + "x1y2".repeat(40_000) + "\"}}";
        for (int i = 0; i < 20; i++) {
            seen(api.post("/v1/tasks/" + last + "/heartbeat", "{}"));
            seen(api.post("/v1/tasks", TASK));
            seen(api.get("/v1/tasks"));
        }
        seen(api.post("/v1/tasks/" + last + "/complete", large));
        command("kill", "-9", Long.toString(postgres.pid()));
        Until.isTrue(
                "the supervisor has seen it",
                Duration.ofSeconds(30),
                () -> {
                    seen(api.post("/v1/tasks", TASK));
                    seen(api.post("/v1/tasks/" + last + "/heartbeat", "{}"));
                    return postgres.outage().isPresent() || postgres.pid() > 0;
                });
        assertThat(api.get("/health").status()).isEqualTo(200);

        Files.delete(filler);
        Until.isTrue(
                "it is back by itself",
                Duration.ofSeconds(30),
                () ->
                        api.get("/ready").status() == 200
                                && seen(api.post("/v1/tasks", TASK)).status() == 201);
        assertThat(folder.resolve("data/ballast")).exists();
        assertThat(seen).doesNotContain(500).contains(507);
    }
}
