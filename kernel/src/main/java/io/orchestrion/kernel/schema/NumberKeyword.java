package io.orchestrion.kernel.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.BaseKeywordValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.BiPredicate;

/// The keywords that bound a number, exact for any number that a request can hold. The validator's
/// own break off where a number does not fit into 64 bits, and write out what has a large exponent.
final class NumberKeyword extends AbstractKeyword {
    private final BiPredicate<BigDecimal, BigDecimal> fits;

    private NumberKeyword(String name, BiPredicate<BigDecimal, BigDecimal> fits) {
        super(name);
        this.fits = fits;
    }

    static List<Keyword> all() {
        return List.of(
                new NumberKeyword("minimum", (number, bound) -> number.compareTo(bound) >= 0),
                new NumberKeyword("maximum", (number, bound) -> number.compareTo(bound) <= 0),
                new NumberKeyword(
                        "exclusiveMinimum", (number, bound) -> number.compareTo(bound) > 0),
                new NumberKeyword(
                        "exclusiveMaximum", (number, bound) -> number.compareTo(bound) < 0),
                new NumberKeyword("multipleOf", NumberKeyword::multiple));
    }

    /// With digits and powers of ten apart, so that nothing is longer than its digits: whether
    /// `a * 10^shift` is a multiple of `b`.
    private static boolean multiple(BigDecimal number, BigDecimal of) {
        if (number.signum() == 0) {
            return true;
        }
        BigDecimal plain = number.stripTrailingZeros();
        BigDecimal plainOf = of.stripTrailingZeros();
        BigInteger a = plain.unscaledValue();
        BigInteger b = plainOf.unscaledValue().abs();
        long shift = (long) plainOf.scale() - plain.scale();
        if (shift >= 0) {
            return BigInteger.TEN.modPow(BigInteger.valueOf(shift), b).multiply(a).mod(b).signum()
                    == 0;
        }
        // Without a zero at its end, a is no multiple of ten.
        return false;
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
        return new Validator(this, location, value, parent, context);
    }

    private static final class Validator extends BaseKeywordValidator {
        private final NumberKeyword keyword;
        private final BigDecimal bound;

        Validator(
                NumberKeyword keyword,
                SchemaLocation location,
                JsonNode value,
                Schema parent,
                SchemaContext context) {
            super(keyword, value, location, parent, context);
            this.keyword = keyword;
            bound = value.decimalValue();
        }

        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            if (!node.isNumber() || keyword.fits.test(node.decimalValue(), bound)) {
                return;
            }
            context.addError(
                    error().instanceNode(node)
                            .instanceLocation(place)
                            .evaluationPath(context.getEvaluationPath())
                            .locale(context.getExecutionConfig().getLocale())
                            .arguments(bound.toString())
                            .build());
        }
    }
}
