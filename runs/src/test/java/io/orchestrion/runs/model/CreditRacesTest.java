package io.orchestrion.runs.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

/// Races for credits, of which `-Dorchestrion.model.races` makes more, and
/// `-Dorchestrion.model.seed` others.
@Timeout(value = 6, unit = TimeUnit.HOURS)
class CreditRacesTest {
    private static final int USUALLY = 400;
    private static final long SEED = 7;

    /// So many on one database, whose rows are all looked at now and then.
    private static final int AT_ONCE = 5_000;

    ///
    @Test
    void no_credit_is_made_or_lost_or_charged_twice_whoever_comes_at_the_same_time() {
        long seed = Long.getLong("orchestrion.model.seed", SEED);
        int races = Integer.getInteger("orchestrion.model.races", USUALLY);
        System.out.println("CreditRacesTest seed " + seed + ", " + races);
        for (int from = 0; from < races; from += AT_ONCE) {
            try (var some = new CreditRaces(seed * 1_000_003 + from)) {
                some.play(Math.min(AT_ONCE, races - from));
            }
            System.out.println("CreditRacesTest " + Math.min(races, from + AT_ONCE) + " races");
        }
    }
}
