package io.orchestrion.server.schema;

import com.networknt.schema.ExecutionContext;

/// One run of a schema, given up after so many steps or so deep: references can make a few lines of
/// schema mean billions of steps, or never end.
final class BoundedRun extends ExecutionContext {
    private static final int DEPTH_MAX = 400;

    private final int stepsMax;
    private int steps;
    private int depth;

    BoundedRun(int stepsMax) {
        this.stepsMax = stepsMax;
    }

    @Override
    public void evaluationPathAddLast(String token) {
        count();
        super.evaluationPathAddLast(token);
    }

    @Override
    public void evaluationPathAddLast(int token) {
        count();
        super.evaluationPathAddLast(token);
    }

    @Override
    public void evaluationPathRemoveLast() {
        depth--;
        super.evaluationPathRemoveLast();
    }

    private void count() {
        if (++depth > DEPTH_MAX) {
            throw new TooCostly("goes more than " + DEPTH_MAX + " steps deep");
        }
        if (++steps > stepsMax) {
            throw new TooCostly("takes more than " + stepsMax + " steps");
        }
    }
}
