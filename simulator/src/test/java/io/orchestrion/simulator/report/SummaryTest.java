package io.orchestrion.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.simulator.history.Observed;
import io.orchestrion.simulator.history.Rule;
import io.orchestrion.simulator.history.Told;
import io.orchestrion.simulator.history.Violation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.json.JsonMapper;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class SummaryTest {
    @TempDir private Path folder;

    private final Observed seen = Told.good().observed();

    @Test
    void a_good_run_is_told_in_a_table_and_a_line() {
        String text = Summary.of(seen, List.of()).text();
        assertThat(text)
                .containsPattern("kind +expected +jobs +succeeded +failed +canceled +retries")
                .containsPattern("RETRY_ON_FAIL +SUCCEEDED +1 +1 +0 +0 +1")
                .contains("6 jobs of 5 clients", "the server stayed up", "{QUEUED=1}")
                .endsWith("0 violations of " + Rule.values().length + " rules.");
    }

    @Test
    void violations_are_told_with_what_was_seen_and_shown_as_text() throws Exception {
        var bad = new Violation(Rule.EDGE, null, "<b>CREATED to RUNNING");
        Summary summary = Summary.of(seen, List.of(bad));
        assertThat(summary.text())
                .contains("VIOLATION EDGE: <b>CREATED to RUNNING")
                .endsWith("1 violation of " + Rule.values().length + " rules.");
        summary.write(folder);
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("<svg", "1 violations", "&lt;b&gt;CREATED", "SUCCESS_FAST")
                .doesNotContain("<b>");
        var json = JsonMapper.shared().readTree(Files.readString(folder.resolve("report.json")));
        assertThat(json.at("/violationsByRule/EDGE").asInt()).isEqualTo(1);
        assertThat(json.at("/kinds/SUCCESS_FAST/succeeded").asInt()).isEqualTo(1);
        assertThat(json.at("/waits/p50").asInt()).isEqualTo(1000);
    }
}
