package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

class DataVolumeTest {
    private static final long MEGABYTE = 1 << 20;

    @TempDir Path folder;

    /// A volume of a size of our own, with the ballast's real file on it.
    private final class Small implements DataVolume.Gauge {
        long totalBytes = 320 * MEGABYTE;
        long usedBytes;

        @Override
        public long freeBytes() {
            Path ballast = folder.resolve("ballast");
            try {
                long held = Files.exists(ballast) ? Files.size(ballast) : 0;
                return Math.max(0, totalBytes - usedBytes - held);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long totalBytes() {
            return totalBytes;
        }

        void leave(long megabytes) {
            usedBytes += freeBytes() - megabytes * MEGABYTE;
        }
    }

    private final Small gauge = new Small();
    private DataVolume volume;

    @BeforeEach
    void open() {
        volume = new DataVolume(folder, gauge);
    }

    private boolean held() {
        return Files.exists(folder.resolve("ballast"));
    }

    @ParameterizedTest
    @CsvSource({"320, 20, 40, 80", "1024, 64, 128, 256", "1048576, 64, 128, 256"})
    void the_figures_follow_the_size_of_the_volume(long total, long ballast, long full, long low) {
        long bytes = total * MEGABYTE;
        assertThat(DataVolume.ballastBytes(bytes)).isEqualTo(ballast * MEGABYTE);
        assertThat(DataVolume.fullBytes(bytes)).isEqualTo(full * MEGABYTE);
        assertThat(DataVolume.lowBytes(bytes)).isEqualTo(low * MEGABYTE);
    }

    @Test
    void a_small_volume_has_ballast_in_proportion() throws IOException {
        volume.keepBallast();
        assertThat(Files.size(folder.resolve("ballast"))).isEqualTo(20 * MEGABYTE);
        assertThat(volume.full()).isFalse();
    }

    @Test
    void without_durability_there_is_no_ballast() {
        volume.tend();
        assertThat(held()).isFalse();
    }

    @Test
    void a_volume_that_fills_up_is_full_while_the_ballast_is_still_there() {
        volume.keepBallast();
        gauge.leave(39);
        volume.tend();
        assertThat(volume.full()).isTrue();
        assertThat(held()).isTrue();
    }

    @Test
    void ballast_is_thrown_off_at_the_end_and_taken_on_when_there_is_room() {
        try (var log = new CapturedLog()) {
            volume.keepBallast();
            gauge.leave(7);
            volume.tend();
            assertThat(held()).isFalse();
            assertThat(gauge.freeBytes()).isEqualTo(27 * MEGABYTE);
            assertThat(volume.full()).as("what it gave is not for new work").isTrue();
            gauge.leave(59);
            volume.tend();
            assertThat(volume.full()).as("not enough to take it on again").isTrue();
            gauge.leave(66);
            volume.tend();
            assertThat(held()).isTrue();
            assertThat(volume.full()).isFalse();
            assertThat(log.lines()).as("full, thrown off, room again").hasSize(3);
        }
    }

    @Test
    void what_was_full_asks_for_a_little_more_to_come_back() {
        volume.keepBallast();
        gauge.leave(39);
        volume.tend();
        gauge.leave(41);
        volume.tend();
        assertThat(volume.full()).isTrue();
        gauge.leave(46);
        volume.tend();
        assertThat(volume.full()).isFalse();
    }

    @Test
    void the_end_of_the_disk_met_by_postgresql_gives_up_the_ballast_at_once() {
        volume.keepBallast();
        gauge.leave(200);
        volume.makeRoom();
        assertThat(held()).as("it was not the disk").isTrue();
        gauge.leave(0);
        volume.makeRoom();
        assertThat(held()).isFalse();
        assertThat(volume.full()).isTrue();
    }

    @Test
    void a_folder_that_is_gone_tells_nothing() {
        assertThat(new DataVolume(folder.resolve("gone")).read()).isEmpty();
    }
}
