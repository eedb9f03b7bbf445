package io.orchestrion.kernel.schema;

import tools.jackson.databind.JsonNode;

/// The cost of going through values.
final class Weight {
    /// In shares of a step.
    private static final int VALUE = 4;

    private static final int CHARACTERS = 8;
    private static final int DIGITS = 2;

    private Weight() {}

    /// Charges for all of a value, on the way through it.
    static void chargeAll(CheckBudget budget, JsonNode node) {
        budget.chargeShares(VALUE);
        if (node.isString()) {
            budget.chargeShares(node.stringValue().length() / CHARACTERS);
        } else if (node.isObject()) {
            for (var member : node.properties()) {
                budget.chargeShares(member.getKey().length() / CHARACTERS);
                chargeAll(budget, member.getValue());
            }
        } else if (node.isArray()) {
            for (JsonNode each : node) {
                chargeAll(budget, each);
            }
        } else {
            budget.charge(digits(node) / DIGITS);
        }
    }

    /// Charges for calculating with a number, and nothing for what is none.
    static void chargeNumber(CheckBudget budget, JsonNode node, JsonNode other) {
        if (node.isNumber()) {
            budget.charge((digits(node) + digits(other)) / DIGITS);
        }
    }

    /// How many digits a number has when it is written out, roughly; 0 for small ones.
    private static long digits(JsonNode number) {
        return number.isBigDecimal() || number.isBigInteger()
                ? number.decimalValue().precision() + Math.abs((long) number.decimalValue().scale())
                : 0;
    }
}
