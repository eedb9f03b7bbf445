package io.orchestrion.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.bench.load.Latencies.Percentiles;
import io.orchestrion.bench.meter.CostMeter.Cost;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

class ReportTest {
    @TempDir private Path folder;

    private static Result lives(String scenario, String row, double pace) {
        return new Result(
                scenario,
                row,
                pace,
                Result.LIFE_CYCLES,
                Map.of("claim", new Percentiles(10, 1.5, 2, 30, 40.25, 50)),
                new Cost(100, 200, 50, 3000, 250, Double.NaN),
                Map.of());
    }

    private static final Report REPORT =
            new Report(
                    new Surroundings(
                            "1.0", "25", "Linux", 2, 24_000, "18", "fsync on", Instant.EPOCH),
                    List.of(
                            lives("sql", Table.ONE_ROW, 2000),
                            lives("sql", Table.MANY_ROWS, 40_000),
                            lives("single", "64 <connections>", 5000).with("ratio", 1.234),
                            new Result(
                                    "heartbeat",
                                    "all",
                                    9,
                                    "renewals/s",
                                    Map.of(),
                                    null,
                                    Map.of())));

    @Test
    void every_pace_of_lives_is_held_against_plain_sql() {
        List<List<String>> rows = Table.paces(REPORT).rows();
        assertThat(rows.get(2))
                .containsExactly(
                        "single",
                        "64 <connections>",
                        "5,000",
                        Result.LIFE_CYCLES,
                        "2.50",
                        "0.13",
                        "ratio 1.23");
        assertThat(rows.get(3)).contains("9.00", "").doesNotContain("0.00");
    }

    @Test
    void columns_stand_under_each_other() {
        assertThat(Table.latencies(REPORT).text())
                .startsWith("scenario  of it                 verb   p50 ms")
                .contains("single    64 <connections>      claim    1.50  2.00  30.0   40.3  50.0");
    }

    @Test
    void what_is_not_known_is_not_said_to_be_nothing() {
        assertThat(Table.costs(REPORT).rows().getFirst()).endsWith("250", "?");
    }

    @Test
    void the_files_hold_all_of_it() throws Exception {
        REPORT.write(folder);
        String html = Files.readString(folder.resolve("bench.html"));
        assertThat(html)
                .contains("<svg", "64 &lt;connections&gt;", "PostgreSQL 18, fsync on")
                .doesNotContain("64 <connections>");
        var json = JsonMapper.shared().readTree(Files.readString(folder.resolve("bench.json")));
        assertThat(json.at("/results/2/perSecond").asDouble()).isEqualTo(5000);
        assertThat(json.at("/results/0/latencies/claim/p99").asDouble()).isEqualTo(30);
        assertThat(json.at("/surroundings/at").asString()).isEqualTo("1970-01-01T00:00:00Z");
    }
}
