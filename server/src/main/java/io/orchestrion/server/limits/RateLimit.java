package io.orchestrion.server.limits;

import io.orchestrion.kernel.plan.Plan;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.ToIntBiFunction;

/// One published limit: at most so many requests in a sliding window.
///
/// @param name the name that endpoints and the stored counters use
/// @param endpoint the endpoint that it is shown for
/// @param max on the free plan, or on every plan where the share is fixed
/// @param window a day, an hour or a minute, counted by the sixtieth part of it
/// @param along the name of a limit over a longer window that is counted with it; null for none
public record RateLimit(
        String name,
        String endpoint,
        int max,
        Duration window,
        By by,
        Share share,
        @Nullable String along) {

    /// At most so many requests of one address.
    public static RateLimit byAddress(String name, String endpoint, int max, Duration window) {
        return new RateLimit(name, endpoint, max, window, By.ADDRESS, Share.FIXED, null);
    }

    /// At most so many requests of one key in an hour.
    public static RateLimit byKey(String name, String endpoint, int max, Share share) {
        return new RateLimit(name, endpoint, max, Duration.ofHours(1), By.KEY, share, null);
    }

    /// At most so many requests of all keys of one account.
    public static RateLimit byClient(String name, String endpoint, int max, Duration window) {
        return new RateLimit(name, endpoint, max, window, By.CLIENT, Share.FIXED, null);
    }

    /// The same limit, with one over a longer window that is counted with it.
    public RateLimit along(RateLimit longer) {
        return new RateLimit(name, endpoint, max, window, by, share, longer.name());
    }

    /// The slots of a window.
    public static final int SLOTS = 60;

    /// How many requests of other kinds a caller may send while it keeps a pace: one that asked for
    /// the thing it waits for, and one that looks at it.
    private static final int OTHERS = 2;

    /// Which requests are counted together.
    public enum By {
        ADDRESS("IP"),
        KEY("API key"),
        /// All keys of an account together. An operator may give one account another number.
        CLIENT("client");

        private final String word;

        By(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /// How a limit grows with the plan. A paying caller must be able to finish what it may claim,
    /// so the limits of holders' requests grow.
    public enum Share {
        FIXED((max, _) -> max),
        CREATES((_, plan) -> plan.maxCreatesPerHour()),
        /// Polling an empty queue must not use up what is paid for: five looks for each claim.
        CLAIM_REQUESTS((_, plan) -> 5 * plan.maxClaimsPerHour()),
        /// One each ten seconds for every worker: the pace of the shortest lease.
        HEARTBEATS((max, plan) -> Math.max(max, 360 * plan.maxWorkers())),
        FINISHES((max, plan) -> Math.max(max, plan.maxClaimsPerHour()));

        private final ToIntBiFunction<Integer, Plan> rule;

        Share(ToIntBiFunction<Integer, Plan> rule) {
            this.rule = rule;
        }
    }

    public int maxFor(Plan plan) {
        return share.rule.applyAsInt(max, plan);
    }

    public boolean planAware() {
        return share != Share.FIXED;
    }

    /// Whether it is for what holders of leases say, which has room kept for it everywhere.
    boolean ofHolders() {
        return share == Share.HEARTBEATS || share == Share.FINISHES;
    }

    public Duration slot() {
        return window.dividedBy(SLOTS);
    }

    /// The seconds between requests with which a caller stays within the limit for any length of
    /// time, and a few requests of other kinds in each window still fit.
    ///
    /// @param allowed the limit for this caller
    long paceSeconds(int allowed) {
        // The slot that has begun counts as a whole.
        long counted = window.plus(slot()).toSeconds();
        return Math.ceilDiv(counted, Math.max(1, allowed - OTHERS));
    }

    /// As the capabilities document writes it: `120/hour (plan-aware)`.
    public String text(Plan plan) {
        return maxFor(plan) + "/" + unit() + (planAware() ? " (plan-aware)" : "");
    }

    private String unit() {
        return window.equals(Duration.ofDays(1))
                ? "day"
                : window.equals(Duration.ofHours(1)) ? "hour" : "minute";
    }

    RateLimit withMax(int other) {
        return new RateLimit(name, endpoint, other, window, by, share, along);
    }
}
