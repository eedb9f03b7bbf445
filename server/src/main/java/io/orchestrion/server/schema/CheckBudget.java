package io.orchestrion.server.schema;

import java.util.Locale;

/// The steps that checking one request may take, over all of its items and schemas together. Made
/// anew for each request, or for each chunk of one that has no end.
///
/// A step is about what one keyword costs on one small value. What costs more counts for more, and
/// is counted before or while it is done.
public final class CheckBudget {
    /// Two hundred payloads of ten thousand steps: one of 64 KB with thousands of values.
    public static final int STEPS_MAX = 2_000_000;

    /// So many are taken on the thread of the request; a check beyond them goes to
    /// [HeavyChecks].
    public static final int INLINE_STEPS_MAX = 20_000;

    /// The small change: a look at one character is a part of a step.
    static final int SHARES = 16;

    /// For what is called without being told whose budget it uses.
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private long shares;
    private long bound = (long) INLINE_STEPS_MAX * SHARES;

    /// The steps that were taken, for tests.
    long steps() {
        return shares / SHARES;
    }

    /// Whether checks of this request still run where it is.
    boolean inline() {
        return bound < wholeBound();
    }

    /// From here on the checks are where they may take long.
    void moveAway() {
        bound = wholeBound();
    }

    private static long wholeBound() {
        return (long) STEPS_MAX * SHARES;
    }

    void charge(long steps) {
        chargeShares(steps * SHARES);
    }

    void chargeShares(long more) {
        if (shares <= bound) {
            shares += more;
        }
        if (shares > bound) {
            if (inline()) {
                throw new NotInline();
            }
            throw new TooCostly(
                    "the checks of one request may take " + said(STEPS_MAX) + " steps together");
        }
    }

    /// As the pages write it.
    static String said(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
