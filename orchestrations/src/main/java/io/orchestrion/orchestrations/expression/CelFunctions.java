package io.orchestrion.orchestrations.expression;

import com.google.common.primitives.UnsignedLong;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import dev.cel.runtime.standard.InOperator.InOverload;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The functions of CEL whose cost has no bound of its own: they join, compare and search. Ours do
/// the same and pay for it first.
final class CelFunctions {
    /// A pattern is compiled anew in each call.
    private static final int PATTERN_WORK = 100;

    /// So many looks at a text cost as much as joining one character.
    private static final int LOOKS = 4;

    private static final Set<StandardFunction> OWN =
            Set.of(
                    StandardFunction.EQUALS,
                    StandardFunction.NOT_EQUALS,
                    StandardFunction.MATCHES,
                    StandardFunction.CONTAINS);

    private CelFunctions() {}

    /// Those of CEL itself that stay.
    static CelStandardFunctions standard() {
        return CelStandardFunctions.newBuilder()
                .filterFunctions(
                        (function, overload) ->
                                !OWN.contains(function)
                                        && overload != AddOverload.ADD_STRING
                                        && overload != AddOverload.ADD_LIST
                                        && overload != AddOverload.ADD_BYTES
                                        && overload != InOverload.IN_LIST)
                .build();
    }

    static List<CelFunctionBinding> own() {
        return List.of(
                CelFunctionBinding.from(
                        "add_string", String.class, String.class, CelFunctions::join),
                CelFunctionBinding.from(
                        "add_list", List.class, List.class, CelFunctions::joinLists),
                CelFunctionBinding.from("equals", Object.class, Object.class, CelFunctions::same),
                CelFunctionBinding.from(
                        "not_equals",
                        Object.class,
                        Object.class,
                        (one, other) -> !same(one, other)),
                CelFunctionBinding.from(
                        "in_list", Object.class, List.class, (one, list) -> has(list, one)),
                CelFunctionBinding.from(
                        "contains_string", String.class, String.class, CelFunctions::contains),
                CelFunctionBinding.from(
                        "matches", String.class, String.class, CelFunctions::matches),
                CelFunctionBinding.from(
                        "matches_string", String.class, String.class, CelFunctions::matches));
    }

    private static String join(String one, String other) {
        CelBudget.charge((long) one.length() + other.length());
        return one + other;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<Object> joinLists(List one, List other) {
        return CelList.joined((List<?>) one, (List<?>) other);
    }

    private static boolean has(List<?> list, Object one) {
        for (Object each : list) {
            if (same(each, one)) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(String text, String part) {
        // A search may begin at each place and go nearly through the whole part.
        CelBudget.charge(
                part.length() > text.length()
                        ? 0
                        : (long) (text.length() - part.length()) * part.length() / 64
                                + text.length() / LOOKS);
        return text.contains(part);
    }

    private static boolean matches(String text, String regex) throws CelEvaluationException {
        CelBudget.charge(PATTERN_WORK + (long) regex.length());
        try {
            Pattern pattern = Pattern.compile(regex);
            if (pattern.programSize() > ExpressionLimits.CEL_PATTERN) {
                throw new CelEvaluationException("the pattern is too large");
            }
            CelBudget.charge((long) text.length() * pattern.programSize() / LOOKS);
            return pattern.matcher(text).find();
        } catch (PatternSyntaxException e) {
            throw new CelEvaluationException("the pattern cannot be read", e);
        }
    }

    /// CEL's equality: numbers by value, lists and maps by what is in them, and no two other types
    /// alike.
    private static boolean same(Object one, Object other) {
        CelBudget.charge(0);
        if (one instanceof Number && other instanceof Number) {
            return sameNumber((Number) one, (Number) other);
        }
        if (one instanceof String text && other instanceof String second) {
            CelBudget.charge(text.length() == second.length() ? text.length() / LOOKS : 0);
            return text.equals(second);
        }
        if (one instanceof List<?> list && other instanceof List<?> second) {
            boolean same = list.size() == second.size();
            for (int i = 0; same && i < list.size(); i++) {
                same = same(list.get(i), second.get(i));
            }
            return same;
        }
        if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> second) {
            if (map.size() != second.size()) {
                return false;
            }
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                Object there = second.get(entry.getKey());
                if (there == null || !same(entry.getValue(), there)) {
                    return false;
                }
            }
            return true;
        }
        return one.equals(other);
    }

    private static boolean sameNumber(Number one, Number other) {
        if (one.getClass() == other.getClass() && !(one instanceof Double)) {
            return one.equals(other);
        }
        double first = one.doubleValue();
        double second = other.doubleValue();
        if (!Double.isFinite(first) || !Double.isFinite(second)) {
            return first == second;
        }
        return exact(one).compareTo(exact(other)) == 0;
    }

    private static BigDecimal exact(Number number) {
        return switch (number) {
            case UnsignedLong unsigned -> new BigDecimal(unsigned.bigIntegerValue());
            case Long whole -> BigDecimal.valueOf(whole);
            case Integer whole -> BigDecimal.valueOf(whole);
            default -> new BigDecimal(number.doubleValue());
        };
    }
}
