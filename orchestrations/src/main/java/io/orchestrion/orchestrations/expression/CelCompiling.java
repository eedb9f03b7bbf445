package io.orchestrion.orchestrations.expression;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;

import java.util.Set;

/// Where CEL begins. This class is the first to name it, so CEL is loaded when the first expression
/// is compiled, which takes seconds of processor time once.
///
/// There is no extension: `cel.bind` would let a short expression use all memory.
final class CelCompiling {
    private static final CelOptions OPTIONS =
            CelOptions.current()
                    .maxExpressionCodePointSize(ExpressionLimits.CEL_CHARACTERS)
                    .maxParseRecursionDepth(ExpressionLimits.CEL_DEPTH)
                    .maxParseExpressionNodeCount(ExpressionLimits.CEL_NODES)
                    .maxParseErrorRecoveryLimit(1)
                    .comprehensionMaxIterations(ExpressionLimits.CEL_ITERATIONS)
                    .enableHeterogeneousNumericComparisons(true)
                    .evaluateCanonicalTypesToNativeValues(true)
                    .build();

    private static final CelCompiler COMPILER =
            CelCompilerFactory.standardCelCompilerBuilder()
                    .setOptions(OPTIONS)
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                    .setStandardEnvironmentEnabled(false)
                    .setStandardDeclarations(
                            CelStandardDeclarations.newBuilder()
                                    .filterFunctions(
                                            (_, overload) ->
                                                    !overload.celOverloadDecl()
                                                            .overloadId()
                                                            .equals("add_bytes"))
                                    .build())
                    .addVar("input", SimpleType.DYN)
                    .addVar("steps", MapType.create(SimpleType.STRING, SimpleType.DYN))
                    .addVar("execution", MapType.create(SimpleType.STRING, SimpleType.STRING))
                    .build();

    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.standardCelRuntimeBuilder()
                    .setOptions(OPTIONS)
                    .setStandardEnvironmentEnabled(false)
                    .setStandardFunctions(CelFunctions.standard())
                    .addFunctionBindings(CelFunctions.own())
                    .build();

    private CelCompiling() {}

    static CompiledCel compile(String source) {
        try {
            CelAbstractSyntaxTree parsed = COMPILER.parse(source).getAst();
            // Before types are worked out: each loop can double the size of a type.
            var shape = new CelShape(parsed.getExpr());
            if (shape.fault() != null) {
                return new CompiledCel.Faulty(shape.fault());
            }
            CelAbstractSyntaxTree checked = COMPILER.check(parsed).getAst();
            return new CelProgram(
                    RUNTIME.createProgram(checked),
                    checked.getResultType().name(),
                    Set.of(SimpleType.BOOL, SimpleType.DYN).contains(checked.getResultType()),
                    Set.copyOf(shape.stepIds()));
        } catch (CelValidationException e) {
            return new CompiledCel.Faulty(fault(e));
        } catch (CelEvaluationException e) {
            return new CompiledCel.Faulty("cannot be used: " + e.getMessage());
        } catch (StackOverflowError e) {
            return new CompiledCel.Faulty("is nested too deep");
        }
    }

    private static String fault(CelValidationException e) {
        if (e.getErrors().isEmpty()) {
            return "cannot be read";
        }
        CelIssue issue = e.getErrors().getFirst();
        return "cannot be read at line "
                + issue.getSourceLocation().getLine()
                + ", column "
                // CEL counts columns from 0.
                + (issue.getSourceLocation().getColumn() + 1)
                + ": "
                + CelProgram.shown(issue.getMessage());
    }
}
