package io.orchestrion.bench.scenario;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Plans of runs, as documents.
final class RunPlans {
    /// Of the items of all steps.
    static final String TOOL = "bench_run_step";

    /// Of those of the large run, which others are not to take away.
    static final String LARGE_TOOL = "bench_large_step";

    private RunPlans() {}

    /// Agents at once, each with its tasks and steps in a row.
    static String inRows(int agents, int tasks, int steps) {
        return plan(agents, tasks, steps, TOOL, "");
    }

    /// The same, with as much at once as a run may have.
    static String atOnce(int agents, int tasks, int steps) {
        return plan(agents, tasks, steps, LARGE_TOOL, "\"parallelism_mode\":\"parallel\",");
    }

    private static String plan(int agents, int tasks, int steps, String tool, String mode) {
        String of = "\",\"tool\":\"" + tool + "\"}";
        String row = numbered(steps, i -> "{\"name\":\"step " + i + of);
        String all =
                numbered(
                        tasks,
                        i -> "{\"name\":\"task " + i + "\"," + mode + "\"steps\":[" + row + "]}");
        return "{\"agents\":["
                + numbered(
                        agents,
                        i -> "{\"subtask\":\"part " + i + "\"," + mode + "\"tasks\":[" + all + "]}")
                + "]}";
    }

    private static String numbered(int count, IntFunction<String> part) {
        return IntStream.rangeClosed(1, count).mapToObj(part).collect(Collectors.joining(","));
    }
}
