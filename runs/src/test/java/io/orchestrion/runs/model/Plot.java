package io.orchestrion.runs.model;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A plan of a run. What depends on something names it by its place in the list.
record Plot(List<Worker> agents) {
    /// @param tasks none where workers plan them, round by round
    record Worker(String mode, String parallel, List<Job> tasks) {
        String document(int place) {
            return "{\"subtask\":\"a%d\",\"failure_mode\":\"%s\",\"parallelism_mode\":\"%s\",\"tasks\":%s}"
                    .formatted(place, mode, parallel, list(tasks, "t"));
        }
    }

    record Job(String mode, String parallel, List<Integer> after, List<Call> steps) {
        String document(int place, String name) {
            return "{\"name\":\"%s%d\",\"failure_mode\":\"%s\",\"parallelism_mode\":\"%s\",\"dependencies\":%s,\"steps\":[%s]}"
                    .formatted(
                            name,
                            place,
                            mode,
                            parallel,
                            names(after, name),
                            IntStream.range(0, steps.size())
                                    .mapToObj(i -> steps.get(i).document(i))
                                    .collect(Collectors.joining(",")));
        }
    }

    /// @param attempts 0 where the plan does not say
    /// @param tokens that it may use at the most; 0 where the plan does not say
    /// @param strict whether its output has a schema
    record Call(
            String tool,
            int attempts,
            int tokens,
            long timeout,
            boolean strict,
            List<Integer> after) {
        String document(int place) {
            return "{\"name\":\"s%d\",\"tool\":\"%s\",\"input\":{\"n\":%d},\"dependencies\":%s%s%s%s%s}"
                    .formatted(
                            place,
                            tool,
                            place,
                            names(after, "s"),
                            attempts == 0 ? "" : ",\"max_attempts\":" + attempts,
                            tokens == 0 ? "" : ",\"max_tokens\":" + tokens,
                            timeout == 0 ? "" : ",\"timeout_ms\":" + timeout,
                            strict
                                    ? ",\"output_schema\":{\"type\":\"object\",\"required\":[\"ok\"]}"
                                    : "");
        }
    }

    /// What an agent plans for itself.
    record Round(List<Job> tasks, boolean again) {
        String document(String name) {
            return "{\"tasks\":%s,\"continue\":%s}".formatted(list(tasks, name), again);
        }
    }

    String document() {
        return IntStream.range(0, agents.size())
                .mapToObj(i -> agents.get(i).document(i))
                .collect(Collectors.joining(",", "{\"agents\":[", "]}"));
    }

    private static String list(List<Job> tasks, String name) {
        return IntStream.range(0, tasks.size())
                .mapToObj(i -> tasks.get(i).document(i, name))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String names(List<Integer> places, String name) {
        return places.stream()
                .map(each -> "\"" + name + each + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    /// What is asked for with a run.
    ///
    /// @param plan null where a worker makes it
    /// @param confirmed whether people are asked before calls of the tool `tc`
    /// @param poor whether its account can pay no second attempt
    record Asked(
            @Nullable Plot plan,
            String mode,
            int attempts,
            int replans,
            long tokens,
            boolean confirmed,
            boolean poor,
            Times times) {}

    /// How long it may take, in milliseconds.
    record Times(
            long pending,
            long running,
            long paused,
            long resuming,
            long retrying,
            long agent,
            long task,
            long step,
            long planning) {}
}
