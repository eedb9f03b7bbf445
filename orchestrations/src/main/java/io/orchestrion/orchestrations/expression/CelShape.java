package io.orchestrion.orchestrations.expression;

import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What an expression names and how often it loops, seen from its syntax alone.
final class CelShape {
    private final Set<String> stepIds = new TreeSet<>();
    private int loops;
    private @Nullable String fault;

    CelShape(CelExpr expression) {
        look(expression);
    }

    Set<String> stepIds() {
        return stepIds;
    }

    @Nullable String fault() {
        return loops > ExpressionLimits.CEL_LOOPS
                ? "has more than " + ExpressionLimits.CEL_LOOPS + " of all, exists, map and filter"
                : fault;
    }

    private void look(CelExpr expression) {
        switch (expression.getKind()) {
            case SELECT -> {
                if (!named(expression.select().operand(), expression.select().field())) {
                    look(expression.select().operand());
                }
            }
            case CALL -> call(expression.call());
            case IDENT -> {
                if (expression.ident().name().equals("steps")) {
                    fault = "must name the step wherever it uses steps, as in steps.a.result";
                }
            }
            case LIST -> expression.list().elements().forEach(this::look);
            case MAP ->
                    expression
                            .map()
                            .entries()
                            .forEach(
                                    entry -> {
                                        look(entry.key());
                                        look(entry.value());
                                    });
            case STRUCT -> fault = "must not make messages";
            case COMPREHENSION -> loop(expression.comprehension());
            case CONSTANT, NOT_SET -> {}
        }
    }

    private void call(CelExpr.CelCall call) {
        if (call.function().equals(Operator.INDEX.getFunction())
                && call.args().size() == 2
                && constant(call.args().get(1)).isPresent()
                && named(call.args().get(0), constant(call.args().get(1)).get())) {
            return;
        }
        call.target().ifPresent(this::look);
        call.args().forEach(this::look);
    }

    private void loop(CelExpr.CelComprehension loop) {
        loops++;
        if (Set.of("input", "steps", "execution").contains(loop.iterVar())) {
            fault = "must not call a variable " + loop.iterVar();
        }
        look(loop.iterRange());
        look(loop.accuInit());
        look(loop.loopCondition());
        look(loop.loopStep());
        look(loop.result());
    }

    /// Whether it is a step of `steps` or a fact of `execution`.
    private boolean named(CelExpr of, String name) {
        if (of.getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return false;
        }
        switch (of.ident().name()) {
            case "steps" -> stepIds.add(name);
            case "execution" -> {
                if (!ExecutionFacts.NAMES.contains(name)) {
                    fault = "names no fact of an execution with execution." + name;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> constant(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                        && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
                ? Optional.of(expression.constant().stringValue())
                : Optional.empty();
    }
}
