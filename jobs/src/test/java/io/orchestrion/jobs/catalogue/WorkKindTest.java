package io.orchestrion.jobs.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// The catalogue held against its published table.
class WorkKindTest {
    /// Name, milliseconds, whether it fails, kilobytes, how it ends.
    private static final String TABLE =
            """
            SUCCESS_FAST                     1000 false   4 SUCCEEDED
            SUCCESS_NORMAL                  10000 false  16 SUCCEEDED
            SUCCESS_SLOW                    90000 false  32 SUCCEEDED
            FAIL_IMMEDIATE                    500 true    1 FAILED
            FAIL_AFTER_PROGRESS             20000 true    8 FAILED
            FAIL_AFTER_RETRYABLE             5000 true    8 FAILED
            RUNS_LONG                      110000 false  32 SUCCEEDED
            RUNS_OVER_TIMEOUT              121000 true    8 FAILED
            CPU_BURST                        8000 false   4 SUCCEEDED
            MEMORY_SPIKE                    12000 false  64 SUCCEEDED
            IO_HEAVY                        15000 false  32 SUCCEEDED
            MANY_SMALL_OUTPUTS               9000 false  16 SUCCEEDED
            LARGE_OUTPUT                     9000 false 256 SUCCEEDED
            CANCEL_BEFORE_START              5000 false   4 CANCELED
            CANCEL_DURING_RUN               10000 false   4 CANCELED
            RETRY_ON_FAIL                    3000 true    4 SUCCEEDED
            RETRY_LIMIT_REACHED              3000 true    4 FAILED
            DUPLICATE_SUBMIT_SAME_KEY        2000 false   4 SUCCEEDED
            DUPLICATE_SUBMIT_DIFFERENT_KEY   2000 false   4 SUCCEEDED
            WEBHOOK_SUCCESS                  2000 false   4 SUCCEEDED
            WEBHOOK_TIMEOUT                  2000 false   4 SUCCEEDED
            WEBHOOK_5XX                      2000 false   4 SUCCEEDED
            WEBHOOK_RETRIES_EXHAUSTED        2000 false   4 SUCCEEDED
            WEBHOOK_SLOW_RECEIVER            2000 false   4 SUCCEEDED
            SCHEDULED_ON_TIME                2000 false   4 SUCCEEDED
            SCHEDULED_LATE_RECOVERY          2000 false   4 SUCCEEDED
            SCHEDULED_FAR_FUTURE             2000 false   4 SUCCEEDED
            PAYLOAD_SMALL                    2000 false   1 SUCCEEDED
            PAYLOAD_MEDIUM                   2000 false  16 SUCCEEDED
            PAYLOAD_LARGE                    2000 false 256 SUCCEEDED
            PAYLOAD_INVALID                     0 false   0 REJECTED
            """;

    /// J-014.
    @Test
    void each_row_is_as_it_was_published() {
        var rows = new ArrayList<String>();
        for (WorkKind kind : WorkKind.values()) {
            JobDefinition definition = Definitions.of(kind, 7, false, GeneratorOptions.DEFAULT);
            assertThat(definition)
                    .isEqualTo(Definitions.of(kind, 7, true, GeneratorOptions.DEFAULT));
            rows.add(
                    "%s %d %b %d %s"
                            .formatted(
                                    definition.workKind(),
                                    definition.durationMs(),
                                    definition.shouldFail(),
                                    definition.payloadSizeBytes() / 1024,
                                    kind.expected().end()));
        }
        List<String> published =
                TABLE.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
        assertThat(rows).hasSize(31).isEqualTo(published);
    }

    /// J-030, J-386.
    @Test
    void one_kind_always_goes_beyond_the_runtime_limit() {
        assertThat(WorkKind.RUNS_OVER_TIMEOUT.durationMs(120_000)).isEqualTo(121_000);
        assertThat(WorkKind.RUNS_OVER_TIMEOUT.durationMs(5_000)).isEqualTo(6_000);
        assertThat(WorkKind.RUNS_LONG.durationMs(5_000)).isEqualTo(110_000);
        assertThat(GeneratorOptions.DEFAULT.maxRuntime().toMillis()).isGreaterThan(110_000);
    }

    /// J-038, J-039.
    @Test
    void which_attempts_fail() {
        assertThat(WorkKind.RETRY_ON_FAIL.failsOn(1)).isTrue();
        assertThat(WorkKind.RETRY_ON_FAIL.failsOn(2)).isFalse();
        for (int attempt = 1; attempt <= 4; attempt++) {
            assertThat(WorkKind.RETRY_LIMIT_REACHED.failsOn(attempt)).isTrue();
            assertThat(WorkKind.SUCCESS_FAST.failsOn(attempt)).isFalse();
        }
    }

    @Test
    void a_name_is_found_exactly_as_it_is_written() {
        assertThat(WorkKind.named("CPU_BURST")).isEqualTo(WorkKind.CPU_BURST);
        assertThat(WorkKind.named("cpu_burst")).isNull();
        assertThat(WorkKind.named("")).isNull();
    }
}
