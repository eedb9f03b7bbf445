package io.orchestrion.simulator.play;

import io.orchestrion.sdk.WorkKind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Who does what, made from the seed alone.
///
/// @param scenes in the order in which they begin
public record Plan(List<Scene> scenes) {
    private static final int BURST = 20;

    /// One thing that one client does.
    ///
    /// @param kinds of the jobs it makes
    /// @param seed for what is left to chance in it
    public record Scene(Scenario scenario, int client, List<String> kinds, long seed) {}

    public Plan {
        scenes = List.copyOf(scenes);
    }

    /// @param listeners how many of the clients, the first ones, have webhooks; they do nothing
    ///     else
    static Plan of(
            List<Scenario> scenarios,
            int jobs,
            int clients,
            int listeners,
            List<WorkKind> catalogue,
            long seed) {
        var random = new Random(seed);
        int whole = scenarios.stream().mapToInt(Scenario::weight).sum();
        var scenes = new ArrayList<Scene>();
        for (Scenario scenario : scenarios) {
            int share = Math.max(1, Math.ceilDiv(jobs * scenario.weight(), whole));
            List<String> kinds = kinds(scenario, catalogue);
            for (int made = 0; made < share; ) {
                var of = new ArrayList<String>();
                int count = scenario == Scenario.BURSTS ? Math.min(BURST, share - made) : 1;
                for (int i = 0; i < count; i++) {
                    of.add(kinds.get((made + i) % kinds.size()));
                }
                int client =
                        scenario == Scenario.WEBHOOKS
                                ? made % listeners
                                : listeners + random.nextInt(clients - listeners);
                scenes.add(new Scene(scenario, client, of, random.nextLong()));
                made += count;
            }
        }
        Collections.shuffle(scenes, random);
        return new Plan(scenes);
    }

    private static List<String> kinds(Scenario scenario, List<WorkKind> catalogue) {
        return switch (scenario) {
            case KINDS -> catalogue.stream().map(WorkKind::name).toList();
            case BURSTS -> List.of("SUCCESS_FAST", "PAYLOAD_SMALL", "FAIL_IMMEDIATE");
            case CANCELS ->
                    List.of(
                            "CANCEL_BEFORE_START",
                            "CANCEL_DURING_RUN",
                            "SUCCESS_SLOW",
                            "SUCCESS_FAST",
                            "SCHEDULED_FAR_FUTURE");
            case RETRIES -> List.of("RETRY_ON_FAIL", "RETRY_LIMIT_REACHED", "FAIL_AFTER_RETRYABLE");
            case DUPLICATES ->
                    List.of("DUPLICATE_SUBMIT_SAME_KEY", "DUPLICATE_SUBMIT_DIFFERENT_KEY");
            case WEBHOOKS -> List.of("SUCCESS_FAST", "FAIL_IMMEDIATE", "CANCEL_DURING_RUN");
            case SCHEDULES -> List.of("SCHEDULED_ON_TIME", "SCHEDULED_FAR_FUTURE");
            case RANDOM -> List.of("");
        };
    }
}
