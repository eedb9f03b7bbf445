package io.orchestrion.kernel.schema;

import com.networknt.schema.SchemaException;

/// A check takes longer than the thread of a request may be held for it: it is begun anew
/// elsewhere.
final class NotInline extends SchemaException {
    private static final long serialVersionUID = 1;

    NotInline() {
        super("moves to the threads for long checks");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
