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
                    "Format of the log: lines for people, or one JSON object a line. Logs go to"
                            + " standard error.");

    public static final Setting LOG_LEVEL =
            Setting.of(
                    "LOG_LEVEL",
                    new Choice(List.of("error", "warn", "info", "debug", "trace")),
                    "info",
                    "Lowest severity that is logged.");

    public static final Setting LOG_DETAIL =
            Setting.of(
                    "LOG_DETAIL",
                    new Choice(List.of("none", "jobs", "all")),
                    "jobs",
                    "Doors whose requests and state changes are all logged, at level info: none,"
                        + " the jobs and orchestrations doors, or all. The tasks and queue doors"
                        + " can log tens of thousands of lines in a second, so use all only to"
                        + " investigate a problem.");

    public static final Setting METRICS_HOST =
            Setting.of(
                    "METRICS_HOST",
                    new Text("ADDRESS", "a name or address of this machine"),
                    "127.0.0.1",
                    "Address of the separate listener for metrics, which metrics-port starts.");

    public static final Setting METRICS_PORT =
            Setting.of(
                    "METRICS_PORT",
                    new Whole(0, 65535),
                    null,
                    "Port of a separate listener that answers GET /metrics without a key, and"
                        + " nothing else. 0 chooses a free port, which the log names. Without it"
                        + " the server's own port answers GET /metrics for the operator's key,"
                        + " which is in the key file.");

    public static final Setting OTLP_ENDPOINT =
            Setting.of(
                    "OTLP_ENDPOINT",
                    new WebAddress(false),
                    null,
                    "Collector to which spans are sent, by OTLP over HTTP. Example:"
                        + " http://localhost:4318 for a collector on this machine. Without it no"
                        + " spans are recorded.");

    public static final Setting TRACE_SAMPLE_PERCENT =
            Setting.of(
                    "TRACE_SAMPLE_PERCENT",
                    new Whole(0, 100),
                    "100",
                    "Share of the traces started by this server that is kept. A trace that a client"
                            + " started is kept when its traceparent says so.");

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
