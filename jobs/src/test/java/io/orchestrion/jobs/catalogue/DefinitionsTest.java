package io.orchestrion.jobs.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orchestrion.jobs.catalogue.Expected.Need;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

/// What a seed makes of a job that names no kind.
class DefinitionsTest {
    private static final long FIRST_SEED = 1_790_000_000_000L;
    private static final int MANY = 20_000;

    private static JobDefinition chosen(long seed, boolean scheduled, double probability) {
        return Definitions.of(
                null, seed, scheduled, new GeneratorOptions(Duration.ofMinutes(2), probability));
    }

    private static Set<WorkKind> kinds(int jobs, boolean scheduled, double probability) {
        Set<WorkKind> seen = EnumSet.noneOf(WorkKind.class);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + jobs; seed++) {
            seen.add(
                    Objects.requireNonNull(
                            WorkKind.named(chosen(seed, scheduled, probability).workKind())));
        }
        return seen;
    }

    /// J-010, J-012.
    @Test
    void the_same_seed_gives_the_same_definition_and_others_differ() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 1000; seed++) {
            assertThat(chosen(seed, false, 0.2)).isEqualTo(chosen(seed, false, 0.2));
        }
        assertThat(kinds(1000, false, 0.2)).hasSizeGreaterThan(10);
    }

    /// J-010: what is stored today must mean the same in every later version.
    @Test
    void what_a_seed_means_is_fixed_for_good() {
        assertThat(
                        LongStream.range(FIRST_SEED, FIRST_SEED + 6)
                                .mapToObj(seed -> chosen(seed, false, 0.5).workKind()))
                .containsExactly(
                        "FAIL_IMMEDIATE",
                        "PAYLOAD_SMALL",
                        "MEMORY_SPIKE",
                        "FAIL_AFTER_PROGRESS",
                        "PAYLOAD_SMALL",
                        "FAIL_IMMEDIATE");
        byte[] bytes = new byte[10];
        new Seeded(FIRST_SEED).fill(bytes, 0, 10);
        assertThat(bytes).containsExactly(64, 13, 32, -106, -15, -110, 42, 100, -5, 67);
    }

    /// J-015.
    @Test
    void a_thousand_random_jobs_cover_success_failure_and_slow_work_and_nothing_special() {
        Set<WorkKind> seen = kinds(1000, false, 0.2);
        assertThat(seen).anyMatch(WorkKind::shouldFail).anyMatch(kind -> !kind.shouldFail());
        assertThat(seen).anyMatch(kind -> kind.durationMs(120_000) >= 90_000);
        assertThat(seen).allMatch(kind -> kind.expected().need() == Need.NOTHING);
        assertThat(seen)
                .doesNotContain(WorkKind.PAYLOAD_INVALID, WorkKind.RUNS_OVER_TIMEOUT)
                .noneMatch(kind -> kind.name().startsWith("CANCEL_"))
                .noneMatch(kind -> kind.name().startsWith("DUPLICATE_"))
                .noneMatch(kind -> kind.name().startsWith("WEBHOOK_"))
                .noneMatch(kind -> kind.name().startsWith("SCHEDULED_"));
    }

    /// J-015, J-017.
    @Test
    void scheduled_jobs_may_also_be_of_the_scheduled_kinds() {
        assertThat(kinds(1000, true, 0.2))
                .contains(WorkKind.SCHEDULED_ON_TIME, WorkKind.SUCCESS_FAST)
                .allMatch(
                        kind ->
                                kind.expected().need() == Need.NOTHING
                                        || kind.expected().need() == Need.SCHEDULE);
    }

    /// J-016, J-017.
    @Test
    void what_is_chosen_stays_within_the_bounds() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + MANY; seed++) {
            JobDefinition definition = chosen(seed, seed % 2 == 0, 0.5);
            assertThat(definition.durationMs()).isBetween(500L, 120_000L);
            assertThat(definition.payloadSizeBytes()).isBetween(1024, 256 * 1024);
            assertThat(definition.seedMs()).isEqualTo(seed);
        }
    }

    /// J-018, J-390.
    @Test
    void failures_have_the_share_that_was_asked_for() {
        for (double probability : new double[] {0, 0.05, 0.3, 0.5, 1}) {
            long failing =
                    LongStream.range(FIRST_SEED, FIRST_SEED + MANY)
                            .filter(seed -> chosen(seed, false, probability).shouldFail())
                            .count();
            if (probability == 0 || probability == 1) {
                assertThat(failing).isEqualTo((long) (probability * MANY));
            } else {
                assertThat((double) failing / MANY).isCloseTo(probability, within(0.02));
            }
        }
    }

    @Test
    void a_low_runtime_limit_keeps_long_kinds_out_of_the_choice() {
        var options = new GeneratorOptions(Duration.ofSeconds(4), 0.3);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 1000; seed++) {
            assertThat(Definitions.of(null, seed, false, options).durationMs())
                    .isBetween(500L, 4_000L);
        }
        var tiny = new GeneratorOptions(Duration.ofMillis(1), 0.3);
        assertThat(Definitions.of(null, FIRST_SEED, false, tiny).durationMs())
                .isBetween(500L, 120_000L);
    }

    @Test
    void nonsense_is_refused_with_its_bound() {
        assertThatThrownBy(() -> new GeneratorOptions(Duration.ofSeconds(1), 1.1))
                .hasMessageContaining("failureProbability 1.1: from 0 to 1");
        assertThatThrownBy(() -> new GeneratorOptions(Duration.ofSeconds(1), Double.NaN))
                .hasMessageContaining("from 0 to 1");
        assertThatThrownBy(() -> new GeneratorOptions(Duration.ZERO, 0))
                .hasMessageContaining("maxRuntime");
        assertThatThrownBy(() -> new JobDefinition("", 1, false, 1, 1))
                .hasMessageContaining("work kind");
    }
}
