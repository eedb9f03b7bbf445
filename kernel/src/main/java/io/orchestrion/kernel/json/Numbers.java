package io.orchestrion.kernel.json;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/// Number literals as text.
final class Numbers {
    private static final Pattern JSON =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?");

    private Numbers() {}

    /// True for what JSON accepts as a number, within the bounds of the scanner.
    static boolean isJson(String text) {
        return text.length() <= JsonScanner.NUMBER_CHARACTERS_MAX && JSON.matcher(text).matches();
    }

    /// One text for each value: `1`, `1.0` and `10e-1` are the same number, as they are for
    /// PostgreSQL's jsonb.
    static String canonical(String literal) {
        BigDecimal value = new BigDecimal(literal).stripTrailingZeros();
        if (value.signum() == 0) {
            return "0";
        }
        // Digits and power apart, so that 1e1000 does not become a thousand zeros.
        return value.scale() == 0
                ? value.toPlainString()
                : value.unscaledValue() + "e" + -(long) value.scale();
    }
}
