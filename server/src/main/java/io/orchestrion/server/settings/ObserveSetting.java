package io.orchestrion.server.settings;

import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.SettingKind.Whole;

import java.util.List;

/// The settings of logs, metrics and traces, which stand behind those of doors.
public final class ObserveSetting {
    private ObserveSetting() {}

    public static final Setting LOG_FORMAT =
            Setting.of(
                    "LOG_FORMAT",
                    new Choice(List.of("text", "json")),
                    "text",
                    "Lines for people, or one JSON object a line. Logs go to standard error.");

    public static final Setting LOG_LEVEL =
            Setting.of(
                    "LOG_LEVEL",
                    new Choice(List.of("error", "warn", "info", "debug", "trace")),
                    "info",
                    "Least severe messages that are logged.");

    public static final Setting LOG_DETAIL =
            Setting.of(
                    "LOG_DETAIL",
                    new Choice(List.of("none", "jobs", "all")),
                    "jobs",
                    "Of which doors every request and every state change is logged, at level info:"
                        + " of none, of the jobs and orchestrations doors, or of all. The tasks and"
                        + " queue doors do tens of thousands in a second, so all is for looking"
                        + " into something.");

    public static final Setting METRICS_HOST =
            Setting.of(
                    "METRICS_HOST",
                    new Text("ADDRESS", "a name or address of this machine"),
                    "127.0.0.1",
                    "Address of the listener for metrics, if metrics-port names one.");

    public static final Setting METRICS_PORT =
            Setting.of(
                    "METRICS_PORT",
                    new Whole(0, 65535),
                    null,
                    "Port on which GET /metrics is answered without a key, and nothing else; 0"
                        + " takes a free one, which the log names. Without it the metrics are at"
                        + " the server's own port for the key in the key file.");

    public static final Setting OTLP_ENDPOINT =
            Setting.of(
                    "OTLP_ENDPOINT",
                    new WebAddress(false),
                    null,
                    "Where spans are sent, by OTLP over HTTP: http://localhost:4318 for a collector"
                            + " on this machine. Without it no spans are kept.");

    public static final Setting TRACE_SAMPLE_PERCENT =
            Setting.of(
                    "TRACE_SAMPLE_PERCENT",
                    new Whole(0, 100),
                    "100",
                    "How many of the traces that begin here are kept. One that a client began is"
                            + " kept when its traceparent says so.");

    /// In the order of the reference.
    static final List<Setting> ALL =
            List.of(
                    LOG_FORMAT,
                    LOG_LEVEL,
                    LOG_DETAIL,
                    METRICS_HOST,
                    METRICS_PORT,
                    OTLP_ENDPOINT,
                    TRACE_SAMPLE_PERCENT);
}
