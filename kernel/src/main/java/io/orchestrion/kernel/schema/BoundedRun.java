package io.orchestrion.kernel.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.annotation.Annotation;
import com.networknt.schema.annotation.Annotations;
import com.networknt.schema.path.NodePath;

import java.util.List;

/// One run of a schema. It is given up when the request's steps are used up, or when it is too
/// deep: with references, a few lines of schema can mean billions of steps, or never end.
final class BoundedRun extends ExecutionContext {
    /// The cost of a fault beside its words: it is built with its place, and kept.
    private static final int ERROR_STEPS = 20;

    /// How many characters are handled in one step.
    static final int CHARACTERS = 64;

    private final CheckBudget budget;
    private final Annotations notes =
            new Annotations() {
                @Override
                public void put(Annotation annotation) {
                    budget.charge(1);
                    super.put(annotation);
                }
            };
    private int depth;

    BoundedRun(CheckBudget budget) {
        this.budget = budget;
    }

    CheckBudget budget() {
        return budget;
    }

    int depth() {
        return depth;
    }

    /// How much was noted about a place, for keywords that ask what others have looked at.
    int notesAt(NodePath place) {
        return notes.asMap().isEmpty() ? 0 : notes.asMap().getOrDefault(place, List.of()).size();
    }

    @Override
    public Annotations getAnnotations() {
        return notes;
    }

    @Override
    public void addError(Error error) {
        long words = 0;
        Object[] arguments = error.getArguments();
        if (arguments != null) {
            for (Object argument : arguments) {
                words += argument instanceof String text ? text.length() : 1;
            }
        }
        budget.charge(ERROR_STEPS + words / CHARACTERS);
        super.addError(error);
    }

    @Override
    public void evaluationPathAddLast(String token) {
        // First the path: the validator takes the last part off again also when this throws.
        super.evaluationPathAddLast(token);
        count();
    }

    @Override
    public void evaluationPathAddLast(int token) {
        super.evaluationPathAddLast(token);
        count();
    }

    @Override
    public void evaluationPathRemoveLast() {
        depth--;
        super.evaluationPathRemoveLast();
    }

    private void count() {
        if (++depth > SchemaLimit.DEPTH.max()) {
            throw new TooCostly("a check may go " + SchemaLimit.DEPTH.said() + " steps deep");
        }
        budget.charge(1);
    }
}
