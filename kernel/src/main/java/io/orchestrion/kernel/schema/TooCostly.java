package io.orchestrion.kernel.schema;

import com.networknt.schema.SchemaException;

/// A check was given up because it would take too long. Of the validator's own kind, which it lets
/// through without a word in the log.
final class TooCostly extends SchemaException {
    private static final long serialVersionUID = 1;

    TooCostly(String what) {
        super(what);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
