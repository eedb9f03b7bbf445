package io.orchestrion.orchestrations.expression;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/// An expression that can be evaluated.
record CelProgram(
        CelRuntime.Program program, String type, boolean mayBeBoolean, Set<String> stepIds)
        implements CompiledCel {
    private static final int MESSAGE_MAX = 200;

    @Override
    public @Nullable String fault() {
        return null;
    }

    @Override
    public Evaluated<JsonNode> evaluate(Values values, String code) {
        return evaluate(values, code, new CelBudget(ExpressionLimits.CEL_WORK));
    }

    Evaluated<JsonNode> evaluate(Values values, String code, CelBudget budget) {
        var variables = new CelValues(values, stepIds);
        try {
            Object value =
                    ScopedValue.where(CelBudget.CURRENT, budget)
                            .call(() -> program.eval(variables));
            // Where one side of an "or" is true, CEL forgets that the other failed.
            return budget.isUsedUp()
                    ? failed(code, new CelBudget.UsedUp())
                    : new Evaluated.Value<>(variables.toJson(value));
        } catch (CelEvaluationException e) {
            return failed(code, e.getCause() instanceof CelBudget.UsedUp used ? used : e);
        } catch (CelBudget.UsedUp | CelValues.NoJson e) {
            return failed(code, e);
        } catch (StackOverflowError e) {
            return new Evaluated.Failed<>(code, "The expression goes too deep.");
        }
    }

    private static Evaluated<JsonNode> failed(String code, Exception e) {
        return new Evaluated.Failed<>(
                code,
                "The expression has no value: " + shown(String.valueOf(e.getMessage())) + ".");
    }

    /// A message of CEL, in one line and not longer than people read. It may quote data.
    static String shown(String message) {
        String line = message.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", " ").strip();
        String plain = line.replaceFirst("^evaluation error at [^:]*:[0-9]+: ", "");
        String cut =
                plain.codePointCount(0, plain.length()) <= MESSAGE_MAX
                        ? plain
                        : plain.substring(0, plain.offsetByCodePoints(0, MESSAGE_MAX)) + "…";
        return cut.replaceFirst("\\.$", "");
    }
}
