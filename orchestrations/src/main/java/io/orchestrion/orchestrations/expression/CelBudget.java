package io.orchestrion.orchestrations.expression;

/// What one evaluation may still join, compare and search. The loops' own bound counts turns, but
/// one turn can handle a large text, and `map` can double a text with each use.
final class CelBudget {
    /// CEL calls functions without telling for whom.
    static final ScopedValue<CelBudget> CURRENT = ScopedValue.newInstance();

    private long left;

    CelBudget(long work) {
        left = work;
    }

    static void charge(long work) {
        CelBudget budget = CURRENT.get();
        budget.left -= work + 1;
        if (budget.left < 0) {
            throw new UsedUp();
        }
    }

    boolean isUsedUp() {
        return left < 0;
    }

    long left() {
        return left;
    }

    /// The evaluation is given up.
    static final class UsedUp extends RuntimeException {
        private static final long serialVersionUID = 1;

        UsedUp() {
            super("it takes more work than an expression may", null, false, false);
        }
    }
}
