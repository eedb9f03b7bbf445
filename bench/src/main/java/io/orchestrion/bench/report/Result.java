package io.orchestrion.bench.report;

import io.orchestrion.bench.load.Latencies.Percentiles;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.meter.CostMeter.Cost;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// One line of what was measured.
///
/// @param scenario the kind of load
/// @param row what of it, such as the number of connections
/// @param perSecond of `unit`
/// @param latencies by verb, in milliseconds
/// @param cost null where it is not of interest
/// @param figures others, each by its name with its unit
public record Result(
        String scenario,
        String row,
        double perSecond,
        String unit,
        Map<String, Percentiles> latencies,
        @Nullable Cost cost,
        Map<String, Double> figures) {

    public static final String LIFE_CYCLES = "life cycles/s";

    public static Result of(
            String scenario, String row, String unit, Outcome outcome, @Nullable CostMeter meter) {
        return new Result(
                scenario,
                row,
                outcome.perSecond(),
                unit,
                outcome.latencies().percentiles(),
                meter == null ? null : meter.cost(outcome.done()),
                Map.of());
    }

    public Result with(String figure, double value) {
        var more = new LinkedHashMap<>(figures);
        more.put(figure, value);
        return new Result(scenario, row, perSecond, unit, latencies, cost, more);
    }
}
