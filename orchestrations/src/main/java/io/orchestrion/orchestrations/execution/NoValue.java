package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.expression.Evaluated;

/// A mapping of a definition has no value for the data of an execution: the step fails by it.
final class NoValue extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient WorkError error;

    NoValue(WorkError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    WorkError error() {
        return error;
    }

    static WorkError error(String code, String message) {
        return WorkError.of(
                code,
                message.length() <= WorkError.MESSAGE_MAX
                        ? message
                        : message.substring(0, WorkError.MESSAGE_MAX));
    }

    static <T> T unless(Evaluated<T> evaluated) {
        return switch (evaluated) {
            case Evaluated.Value<T>(var value) -> value;
            case Evaluated.Failed<T>(var code, var message) ->
                    throw new NoValue(error(code, message));
        };
    }
}
