package io.orchestrion.simulator.report;

import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.simulator.history.Observed;
import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Rule;
import io.orchestrion.simulator.history.Story;
import io.orchestrion.simulator.history.Violation;
import io.orchestrion.tools.Columns;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A run in figures.
///
/// @param kinds how the jobs of each kind ended, by the kind's name
/// @param cancelled how many jobs were cancelled in which state
/// @param waits milliseconds from queued to assigned
/// @param late milliseconds from a job's time to queued
/// @param endedEachSecond jobs that came to their end, by seconds from the beginning
/// @param violationsByRule for each rule, how often it was broken
public record Summary(
        Observed.Run run,
        int jobs,
        int events,
        int refusals,
        int deliveries,
        List<Downtime> downtimes,
        Map<String, Ends> kinds,
        Map<String, Integer> scenarios,
        Map<String, Integer> cancelled,
        Percentiles waits,
        Percentiles late,
        List<Integer> endedEachSecond,
        Map<Rule, Integer> violationsByRule,
        List<Violation> violations) {
    private static final int SHOWN = 25;
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /// @param retries accepted ones
    public record Ends(
            String expected, int jobs, int succeeded, int failed, int canceled, int retries) {
        Ends with(Job job) {
            return new Ends(
                    expected,
                    jobs + 1,
                    succeeded + (job.state().name().equals("SUCCEEDED") ? 1 : 0),
                    failed + (job.state().name().equals("FAILED") ? 1 : 0),
                    canceled + (job.state().name().equals("CANCELED") ? 1 : 0),
                    retries + job.attempt() - 1);
        }
    }

    /// In milliseconds.
    public record Percentiles(int count, long p50, long p95, long p99, long max) {
        static Percentiles of(List<Long> values) {
            long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
            return new Percentiles(
                    sorted.length, at(sorted, 50), at(sorted, 95), at(sorted, 99), at(sorted, 100));
        }

        private static long at(long[] sorted, int percent) {
            if (sorted.length == 0) {
                return 0;
            }
            return sorted[Math.max(0, Math.ceilDiv(sorted.length * percent, 100) - 1)];
        }
    }

    public static Summary of(Observed seen, List<Violation> violations) {
        var kinds = new TreeMap<String, Ends>();
        var scenarios = new TreeMap<String, Integer>();
        var cancelled = new TreeMap<String, Integer>();
        var waits = new ArrayList<Long>();
        var late = new ArrayList<Long>();
        seen.catalogue()
                .forEach(kind -> kinds.put(kind.name(), new Ends(kind.expected(), 0, 0, 0, 0, 0)));
        for (Story story : seen.stories()) {
            scenarios.merge(story.scenario(), 1, Integer::sum);
            Job end = story.end();
            if (end != null && end.definition() != null) {
                String kind = end.definition().workKind();
                kinds.put(kind, kinds.getOrDefault(kind, new Ends("?", 0, 0, 0, 0, 0)).with(end));
            }
            gather(story, waits, late, cancelled);
        }
        var byRule = new TreeMap<Rule, Integer>();
        Arrays.stream(Rule.values()).forEach(rule -> byRule.put(rule, 0));
        violations.forEach(each -> byRule.merge(each.rule(), 1, Integer::sum));
        return new Summary(
                seen.run(),
                seen.stories().size(),
                seen.stories().stream().mapToInt(story -> story.events().size()).sum(),
                seen.refusals().size(),
                seen.receipts().size(),
                seen.downtimes(),
                kinds,
                scenarios,
                cancelled,
                Percentiles.of(waits),
                Percentiles.of(late),
                endedEachSecond(seen),
                byRule,
                violations);
    }

    private static void gather(
            Story story, List<Long> waits, List<Long> late, Map<String, Integer> cancelled) {
        Event before = null;
        for (Event event : story.events()) {
            if (before != null && event.name().equals("job.assigned")) {
                waits.add(Duration.between(before.at(), event.at()).toMillis());
            }
            if (event.name().equals("job.queued") && story.executionAt() != null) {
                late.add(Duration.between(story.executionAt(), event.at()).toMillis());
            }
            if (event.name().equals("job.canceled")) {
                cancelled.merge(String.valueOf(event.prevState()), 1, Integer::sum);
            }
            before = event;
        }
    }

    private static List<Integer> endedEachSecond(Observed seen) {
        Instant began = seen.run().began();
        int seconds =
                (int) Math.max(1, Duration.between(began, seen.run().ended()).toSeconds() + 1);
        var counts = new ArrayList<Integer>(Collections.nCopies(seconds, 0));
        for (Story story : seen.stories()) {
            if (!story.reports().isEmpty()) {
                long second =
                        Duration.between(began, story.reports().getLast().finishedAt()).toSeconds();
                int at = (int) Math.clamp(second, 0, seconds - 1);
                counts.set(at, counts.get(at) + 1);
            }
        }
        return counts;
    }

    /// Writes `report.json` and `report.html`.
    public void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("report.json"), JSON.writeValueAsString(this) + "\n");
        Files.writeString(folder.resolve("report.html"), new Page(this).html());
    }

    List<List<String>> kindRows() {
        var rows = new ArrayList<List<String>>();
        kinds.forEach(
                (name, ends) ->
                        rows.add(
                                List.of(
                                        name,
                                        ends.expected(),
                                        number(ends.jobs()),
                                        number(ends.succeeded()),
                                        number(ends.failed()),
                                        number(ends.canceled()),
                                        number(ends.retries()))));
        return rows;
    }

    static final List<String> KIND_HEADS =
            List.of("kind", "expected", "jobs", "succeeded", "failed", "canceled", "retries");

    List<List<String>> ruleRows() {
        var rows = new ArrayList<List<String>>();
        violationsByRule.forEach(
                (rule, count) -> rows.add(List.of(rule.name(), rule.words(), number(count))));
        return rows;
    }

    static final List<String> RULE_HEADS = List.of("rule", "which says that", "violations");

    static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// How the run was, in a line.
    String about() {
        return String.format(
                Locale.ROOT,
                "%,d jobs of %d clients with %,d events, %,d refusals as written, %,d deliveries,"
                    + " %d s; seed %d; %s; cancelled %s. Queued to assigned: p50 %,d ms, p99 %,d"
                    + " ms. %,d schedules: queued p50 %,d ms, p99 %,d ms, at most %,d ms late.",
                jobs,
                run.clients(),
                events,
                refusals,
                deliveries,
                Duration.between(run.began(), run.ended()).toSeconds(),
                run.seed(),
                downtimes.isEmpty()
                        ? "the server stayed up"
                        : "the server was killed and restarted "
                                + (downtimes.size() == 1 ? "once" : downtimes.size() + " times"),
                cancelled,
                waits.p50(),
                waits.p99(),
                late.count(),
                late.p50(),
                late.p99(),
                late.max());
    }

    /// For a terminal.
    public String text() {
        var text = new StringBuilder();
        text.append(new Columns(KIND_HEADS, kindRows(), 2).text()).append('\n');
        text.append(about()).append("\n\n");
        for (Violation each : violations.stream().limit(SHOWN).toList()) {
            text.append("VIOLATION ")
                    .append(each.rule())
                    .append(each.job() == null ? "" : " by " + each.job())
                    .append(": ")
                    .append(each.what())
                    .append('\n');
        }
        if (violations.size() > SHOWN) {
            text.append("… and ").append(violations.size() - SHOWN).append(" more.\n");
        }
        return text.append(violations.isEmpty() ? "" : "\n")
                .append(number(violations.size()))
                .append(violations.size() == 1 ? " violation" : " violations")
                .append(" of ")
                .append(Rule.values().length)
                .append(" rules.")
                .toString();
    }
}
