package io.orchestrion.bench.scenario;

import io.orchestrion.bench.report.Result;

import java.util.Locale;

/// A result in one line, for whoever watches.
final class Lines {
    private Lines() {}

    static String of(Result result) {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-10s %-28s %,10.0f %s",
                        result.scenario(),
                        result.row(),
                        result.perSecond(),
                        result.unit()));
        result.latencies()
                .forEach(
                        (verb, times) ->
                                text.append(
                                        String.format(
                                                Locale.ROOT,
                                                "  %s %.1f/%.1f ms",
                                                verb,
                                                times.p50(),
                                                times.p99())));
        if (result.cost() != null) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  cpu us: server %.0f, database %.0f, client %.0f; %.0f B of log",
                            result.cost().serverMicros(),
                            result.cost().databaseMicros(),
                            result.cost().clientMicros(),
                            result.cost().walBytes()));
        }
        result.figures()
                .forEach(
                        (name, value) ->
                                text.append(String.format(Locale.ROOT, "  %s %.3g", name, value)));
        return text.toString();
    }
}
