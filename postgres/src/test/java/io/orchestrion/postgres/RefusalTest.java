package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class RefusalTest {
    @TempDir Path folder;

    @Test
    void a_folder_of_another_major_version_is_not_touched() throws Exception {
        Files.createDirectories(folder.resolve("pg"));
        Files.writeString(folder.resolve("pg/PG_VERSION"), "17\n");
        refused(Fixtures.quick(folder), Reason.WRONG_VERSION, folder + "/pg", "PostgreSQL 17");
        assertThat(folder.resolve("pg/PG_VERSION")).hasContent("17");
    }

    @Test
    void a_folder_with_other_things_in_it_is_not_touched() throws Exception {
        Files.createDirectories(folder.resolve("pg/holiday-pictures"));
        refused(Fixtures.quick(folder), Reason.FAILED, folder + "/pg", "no PG_VERSION");
    }

    @Test
    void a_folder_that_cannot_be_made_is_named() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        refused(Fixtures.quick(file.resolve("data")), Reason.NOT_WRITABLE, file.toString());
        refused(
                Fixtures.quick(Path.of("/proc/orchestrion")),
                Reason.NOT_WRITABLE,
                "/proc/orchestrion");
    }

    @Test
    void a_lost_password_is_said_to_be_lost() throws Exception {
        Fixtures.seeded(folder);
        Files.delete(folder.resolve("postgres.password"));
        refused(Fixtures.quick(folder), Reason.FAILED, "postgres.password");
    }

    @Test
    void what_the_server_said_is_in_the_message() throws Exception {
        Fixtures.seeded(folder);
        refused(
                Fixtures.quick(folder).withSettings(Map.of("work_mem", "much")),
                Reason.FAILED,
                "invalid value for parameter \"work_mem\"");
        // And the folder is free and whole afterwards.
        EmbeddedPostgres.start(Fixtures.quick(folder)).close();
    }

    @Test
    void a_setting_the_supervisor_needs_cannot_be_overridden() {
        assertThatThrownBy(() -> Fixtures.quick(folder).withSettings(Map.of("port", "1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_volume_without_room_is_refused_before_anything_is_written() throws Exception {
        assumeThat(Fixtures.root()).isTrue();
        Path volume = Files.createDirectory(folder.resolve("volume"));
        assumeThat(command("mount", "-t", "tmpfs", "-o", "size=100m", "tmpfs", volume.toString()))
                .isZero();
        try {
            refused(Fixtures.quick(volume), Reason.NO_DISK, volume.toString(), "256 MB");
            assertThat(volume.resolve("pg")).doesNotExist();
            command("mount", "-o", "remount,size=320m", volume.toString());
            EmbeddedPostgres.start(Fixtures.quick(volume)).close();
            // Ballast on a small volume too; the server starts on what it leaves.
            EmbeddedPostgres.start(Fixtures.durable(volume)).close();
            assertThat(volume.resolve("ballast")).hasSize(20 << 20);
            long free = Files.getFileStore(volume).getUsableSpace();
            Path filler = Files.write(volume.resolve("filler"), new byte[(int) free - (4 << 20)]);
            try (EmbeddedPostgres server = EmbeddedPostgres.start(Fixtures.durable(volume))) {
                assertThat(volume.resolve("ballast")).doesNotExist();
                assertThat(server.full()).isTrue();
                Files.delete(filler);
                Fixtures.eventually("room again", () -> !server.full());
                assertThat(volume.resolve("ballast")).hasSize(20 << 20);
            }
        } finally {
            command("umount", volume.toString());
        }
    }

    private static int command(String... words) throws Exception {
        return new ProcessBuilder(words).inheritIO().start().waitFor();
    }

    private static void refused(PostgresOptions options, Reason reason, String... words) {
        assertThatThrownBy(() -> EmbeddedPostgres.start(options))
                .isInstanceOfSatisfying(
                        PostgresStartException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContainingAll(words);
    }
}
