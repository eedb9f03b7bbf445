package io.orchestrion.kernel.schema;

/// The steps that checking one request may take, over all of its items and schemas together. Made
/// anew for each request, or for each chunk of one that has no end.
///
/// A step is about what one keyword costs on one small value. What costs more counts for more, and
/// is counted before or while it is done.
public final class CheckBudget {
    /// The small change: a look at one character is a part of a step.
    static final int SHARES = 16;

    /// The budget for code that the validator calls without passing it on.
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private final long whole;
    private long shares;
    private long bound = (long) SchemaLimit.INLINE_STEPS.max() * SHARES;

    public CheckBudget() {
        this(SchemaLimit.REQUEST_STEPS.max());
    }

    /// A smaller one, for tests.
    CheckBudget(int steps) {
        whole = (long) steps * SHARES;
    }

    /// The steps that were taken, for tests.
    long steps() {
        return shares / SHARES;
    }

    /// Whether checks of this request still run where it is.
    boolean inline() {
        return bound < whole;
    }

    /// From here on the checks run on a thread where they may take long.
    void moveAway() {
        bound = whole;
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
                    "the checks of one request may take "
                            + SchemaLimit.REQUEST_STEPS.said()
                            + " steps together");
        }
    }
}
