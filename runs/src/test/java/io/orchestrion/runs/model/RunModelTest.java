package io.orchestrion.runs.model;

import io.orchestrion.runs.Runs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Random runs with random plans, beside a model that says what may become of them and of their
/// credits. With `-Dorchestrion.model.seed` it is repeated, with `-Dorchestrion.model.runs` it is
/// made longer, and with `-Dorchestrion.model.only` one run of it is played alone.
@Timeout(value = 6, unit = TimeUnit.HOURS)
class RunModelTest {
    private static final int COHORT = 100;
    private static final int USUALLY = 300;
    private static final int SHOWN = 12;

    /// Of so many runs one is of an account that can hardly pay it.
    private static final int POOR = 25;

    /// Of the usual run, so that a build is red for what it changes. Longer runs name others.
    private static final long SEED = 7;

    ///
    ///
    ///
    ///
    @Test
    void runs_are_what_the_model_says_whatever_happens() {
        long seed = Long.getLong("orchestrion.model.seed", SEED);
        int runs = Integer.getInteger("orchestrion.model.runs", USUALLY);
        int only = Integer.getInteger("orchestrion.model.only", -1);
        System.out.println("RunModelTest seed " + seed + ", " + runs);
        for (int from = 0; from < runs; from += COHORT) {
            if (only < 0 || (only >= from && only < from + COHORT)) {
                play(seed, from, Math.min(runs, from + COHORT), only);
            }
        }
    }

    private static void play(long seed, int from, int to, int only) {
        try (var nodes = new Nodes()) {
            UUID rich = Doing.patiently(nodes.test()::account);
            Runs runs = nodes.node(false).runs();
            runs.inOne(
                    tx -> runs.ledger().grant(tx, rich, new BigDecimal(1_000_000), "rich", null));
            List<Player> players = new ArrayList<>();
            for (int number = from; number < to; number++) {
                var random = new Random(seed * 1_000_003 + number);
                boolean poor = number % POOR == 0;
                Plot.Asked asked = Plots.asked(random, poor);
                if (only < 0 || only == number) {
                    UUID account = poor ? Doing.patiently(nodes.test()::account) : rich;
                    players.add(new Player(number, asked, random, account));
                }
            }
            var cohort = new Cohort(nodes, new Random(seed - from), players);
            cohort.play();
            if (!cohort.violations().isEmpty()) {
                throw new AssertionError(
                        "seed "
                                + seed
                                + ": "
                                + cohort.violations().size()
                                + " violations\n"
                                + cohort.violations().stream()
                                        .limit(SHOWN)
                                        .map(Throwable::getMessage)
                                        .collect(Collectors.joining("\n\n")));
            }
        }
    }
}
