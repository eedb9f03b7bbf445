package io.orchestrion.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.settings.Setting;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The files for deployments say what the product does.
class DeploymentFilesTest {
    private static final Path OPS = Path.of(System.getProperty("orchestrion.root", ".."), "ops");
    private static final int STOP_SECONDS = 30;

    private static String text(String file) throws IOException {
        return Files.readString(OPS.resolve(file));
    }

    private static List<JsonNode> documents(String file) throws IOException {
        var documents = new ArrayList<JsonNode>();
        for (String each : text(file).split("(?m)^---$")) {
            documents.add(new YAMLMapper().readTree(each));
        }
        return documents;
    }

    private static JsonNode of(String file, String kind) throws IOException {
        return documents(file).stream()
                .filter(each -> each.path("kind").asString("").equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode container() throws IOException {
        return of("kubernetes/orchestrion.yml", "Deployment")
                .at("/spec/template/spec/containers/0");
    }

    private static String setting(String variable) throws IOException {
        for (JsonNode each : container().path("env")) {
            if (each.path("name").asString("").equals(variable)) {
                return each.path("value").asString("");
            }
        }
        throw new AssertionError(variable + " is not set");
    }

    ///
    @Test
    void a_node_has_limits_of_processors_and_memory() throws IOException {
        JsonNode resources = container().path("resources");
        assertThat(resources.at("/limits/cpu").asString()).isEqualTo("2");
        assertThat(resources.at("/limits/memory").asString()).isEqualTo("2Gi");
        assertThat(resources.at("/requests/memory").isMissingNode()).isFalse();
        assertThat(setting("ORCHESTRION_HEAP")).isEqualTo("1g");
        assertThat(text("systemd/orchestrion.service"))
                .contains("CPUQuota=")
                .contains("MemoryMax=");
    }

    /// by queues that the metric has.
    @Test
    void nodes_are_added_by_the_depth_of_the_queues() throws IOException {
        JsonNode scaler = of("kubernetes/autoscaling.yml", "HorizontalPodAutoscaler");
        assertThat(scaler.at("/spec/scaleTargetRef/name").asString())
                .isEqualTo(
                        of("kubernetes/orchestrion.yml", "Deployment")
                                .at("/metadata/name")
                                .asString());
        assertThat(scaler.at("/spec/metrics")).hasSize(2);
        var queues = new ArrayList<String>();
        for (JsonNode each : scaler.at("/spec/metrics")) {
            assertThat(each.at("/external/metric/name").asString())
                    .isEqualTo(Metric.WORK_QUEUE_DEPTH.shown());
            queues.add(each.at("/external/metric/selector/matchLabels/queue").asString());
        }
        assertThat(StoredTotals.queueNames()).containsAll(queues);
        assertThat(queues).containsExactly("runs.normal", "runs.high_priority");
        assertThat(text("kubernetes/autoscaling.yml"))
                .contains("max(" + Metric.WORK_QUEUE_DEPTH.shown() + "{");
    }

    ///
    @Test
    void liveness_and_readiness_are_asked_at_the_endpoints_for_them() throws IOException {
        assertThat(container().at("/livenessProbe/httpGet/path").asString()).isEqualTo("/health");
        assertThat(container().at("/readinessProbe/httpGet/path").asString()).isEqualTo("/ready");
    }

    /// the requests under way get less than what a stop may take in all.
    @Test
    void a_node_has_thirty_seconds_to_stop() throws IOException {
        assertThat(
                        of("kubernetes/orchestrion.yml", "Deployment")
                                .at("/spec/template/spec/terminationGracePeriodSeconds")
                                .asInt())
                .isEqualTo(STOP_SECONDS);
        assertThat(Integer.parseInt(setting("ORCHESTRION_DRAIN_SECONDS"))).isLessThan(STOP_SECONDS);
        assertThat(text("systemd/orchestrion.service")).contains("TimeoutStopSec=" + STOP_SECONDS);
    }

    /// logs are searchable for 7 days and archived for 30, metrics are kept for 30.
    @Test
    void logs_and_metrics_are_kept_as_long_as_the_contract_says() throws IOException {
        String searchable =
                documents("logs/loki.yml")
                        .getFirst()
                        .at("/limits_config/retention_period")
                        .asString();
        assertThat(Duration.parse("PT" + searchable)).isEqualTo(Duration.ofDays(7));
        assertThat(
                        documents("logs/loki.yml")
                                .getFirst()
                                .at("/compactor/retention_enabled")
                                .asBoolean())
                .isTrue();
        List<String> archive = text("logs/logrotate.conf").lines().map(String::strip).toList();
        assertThat(archive).contains("daily", "rotate 30", "compress");
        assertThat(text("prometheus/prometheus.service"))
                .contains("--storage.tsdb.retention.time=30d");
        assertThat(setting("ORCHESTRION_LOG_FORMAT")).isEqualTo("json");
        Matcher written =
                Pattern.compile("append:(\\S+)").matcher(text("systemd/orchestrion.service"));
        assertThat(written.find()).isTrue();
        assertThat(written.group(1)).matches("/var/log/orchestrion/[a-z]+\\.log");
        assertThat(archive.stream().anyMatch(each -> each.startsWith("/var/log/orchestrion/*.log")))
                .isTrue();
    }

    /// Each variable is one that the program reads.
    @Test
    void the_settings_of_a_node_exist() throws IOException {
        List<String> known = Doors.settings(Doors.ALL).all().stream().map(Setting::env).toList();
        for (JsonNode each : container().path("env")) {
            String name = each.path("name").asString("");
            if (!name.equals("ORCHESTRION_HEAP")) {
                assertThat(known).contains(name);
            }
        }
        assertThat(Arrays.asList(text("systemd/orchestrion.service").split("\\s+")))
                .contains("--log-format", "--data");
    }
}
