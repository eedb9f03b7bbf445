package io.orchestrion.orchestrations.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Random executions of random definitions, beside a model that says what may become of them. With
/// `-Dorchestrion.model.seed` a run is repeated, with `-Dorchestrion.model.executions` it is made
/// longer, and with `-Dorchestrion.model.only` one execution of it is played alone.
@Timeout(value = 6, unit = TimeUnit.HOURS)
class OrchestrationModelTest {
    private static final int COHORT = 100;
    private static final int USUALLY = 300;
    private static final int SHOWN = 5;

    /// Of the usual run, so that a build is red for what it changes. Longer runs name others.
    private static final long SEED = 7;

    /// E-070, E-073, E-075, E-089, E-092, E-096, E-126, E-135, E-136, E-144, E-151, E-153, E-172,
    /// E-179, E-181, E-184, E-193, E-231.
    @Test
    void executions_are_what_the_model_says_whatever_happens() {
        long seed = Long.getLong("orchestrion.model.seed", SEED);
        int executions = Integer.getInteger("orchestrion.model.executions", USUALLY);
        int only = Integer.getInteger("orchestrion.model.only", -1);
        System.out.println("OrchestrationModelTest seed " + seed + ", " + executions);
        try (var nodes = new Nodes()) {
            for (int from = 0; from < executions; from += COHORT) {
                if (only >= 0 && (only < from || only >= from + COHORT)) {
                    continue;
                }
                play(nodes, seed, from, Math.min(executions, from + COHORT), only);
            }
        } catch (Violation e) {
            throw new AssertionError(
                    "seed " + seed + " of " + executions + ": " + e.getMessage(), e);
        }
    }

    private static void play(Nodes nodes, long seed, int from, int to, int only) {
        List<Player> players = new ArrayList<>();
        for (int number = from; number < to; number++) {
            var random = new Random(seed * 1_000_003 + number);
            var player = new Player(number, Flow.random(random), random);
            if (only < 0 || only == number) {
                players.add(player);
            }
        }
        var cohort = new Cohort(nodes, new Random(seed - from), players);
        cohort.play();
        if (!cohort.violations().isEmpty()) {
            throw new Violation(
                    cohort.violations().size()
                            + " violations\n"
                            + cohort.violations().stream()
                                    .limit(SHOWN)
                                    .map(Throwable::getMessage)
                                    .collect(Collectors.joining("\n\n")));
        }
        new Aftermath(nodes, cohort).check();
    }
}
