package io.orchestrion.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The page, the dashboard and the alerts name what there is.
class MetricsPageTest {
    /// A metric as a query names it: before its labels, its range or a parenthesis.
    private static final Pattern NAME =
            Pattern.compile("\\b([a-z][a-z0-9_]*_[a-z0-9_]+|runs)\\b(?=[{\\[ )]|$)");

    private static final Set<String> NO_METRICS =
            Set.of("histogram_quantile", "work_kind", "rate_interval");

    private static Path root() {
        return Path.of(System.getProperty("orchestrion.root", ".."));
    }

    @Test
    void the_page_says_what_the_code_does() {
        GeneratedFile.isFresh("docs/guides/observability.md", MetricsPage.render(Doors.ALL));
    }

    private static Set<String> known() {
        Set<String> known = new TreeSet<>(Set.of("jvm_memory_used_bytes", "process_cpu_usage"));
        for (Metric metric : Metric.values()) {
            known.add(metric.shown());
            if (metric.type() == Metric.Type.HISTOGRAM) {
                known.addAll(
                        List.of(
                                metric.family() + "_bucket",
                                metric.family() + "_count",
                                metric.family() + "_sum"));
            }
        }
        return known;
    }

    private static Set<String> named(String query) {
        // What stands in labels and in "by" is no metric.
        String bare = query.replaceAll("\\{[^}]*}", "").replaceAll("\\bby \\([^)]*\\)", "");
        return NAME.matcher(bare)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !NO_METRICS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// J-359, J-364, J-365, R-332: the dashboard reads them.
    @Test
    void every_panel_of_the_dashboard_reads_metrics_that_exist() throws IOException {
        JsonNode board =
                JsonMapper.shared()
                        .readTree(Files.readString(root().resolve("ops/grafana/orchestrion.json")));
        var used = new TreeSet<String>();
        int panels = 0;
        for (JsonNode panel : board.at("/panels")) {
            for (JsonNode target : panel.path("targets")) {
                Set<String> names = named(target.at("/expr").asString());
                assertThat(names).as(target.toString()).isNotEmpty();
                used.addAll(names);
                panels++;
            }
        }
        assertThat(panels).isGreaterThan(20);
        assertThat(known()).containsAll(used);
        assertThat(
                        Arrays.stream(Metric.values())
                                .map(Metric::family)
                                .filter(
                                        name ->
                                                used.stream()
                                                        .noneMatch(one -> one.startsWith(name))))
                .as("metrics that nobody looks at")
                .isEmpty();
    }

    ///
    @Test
    void every_alert_reads_metrics_that_exist_and_says_what_is_wrong() throws IOException {
        List<String> lines = Files.readAllLines(root().resolve("ops/prometheus/alerts.yml"));
        List<String> rules =
                lines.stream()
                        .map(String::strip)
                        .filter(line -> line.startsWith("expr: "))
                        .toList();
        assertThat(rules).hasSizeGreaterThan(8);
        for (String rule : rules) {
            Set<String> names = named(rule.substring("expr: ".length()));
            if (!rule.contains("up{")) {
                assertThat(names).as(rule).isNotEmpty();
            }
            assertThat(known()).as(rule).containsAll(names);
        }
        assertThat(lines.stream().filter(line -> line.contains("summary:"))).hasSameSizeAs(rules);
    }
}
