package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Pointers;
import io.orchestrion.kernel.retry.BackoffStrategy;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.RetryPolicy;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Reads a retry policy. All six fields have to be there: a policy is written once and read often.
final class RetryReader {
    static final Set<String> FIELDS =
            Set.of(
                    "max_attempts",
                    "backoff_strategy",
                    "initial_delay_ms",
                    "max_delay_ms",
                    "timeout_ms",
                    "retry_on_classes");
    static final List<String> CLASSES = Arrays.stream(ErrorClass.values()).map(Enum::name).toList();

    /// Stands where there is none to be had, in documents that are refused.
    static final RetryPolicy NONE = new RetryPolicy(1, BackoffStrategy.FIXED, 0, 0, 1, Set.of());

    private RetryReader() {}

    static RetryPolicy read(Fields fields) {
        fields.only(FIELDS);
        int attempts = (int) fields.requiredWhole("max_attempts", 1, DefinitionLimits.ATTEMPTS);
        long first = fields.requiredWhole("initial_delay_ms", 0, DefinitionLimits.DELAY_MS);
        long longest = fields.requiredWhole("max_delay_ms", 0, DefinitionLimits.DELAY_MS);
        long timeout = fields.requiredWhole("timeout_ms", 1, DefinitionLimits.DURATION_MS);
        if (!fields.has("backoff_strategy")) {
            fields.missing(
                    "backoff_strategy",
                    "Add one of " + String.join(", ", BackoffStrategy.words()) + ".");
        }
        String strategy = fields.word("backoff_strategy", BackoffStrategy.words());
        if (longest < first && fields.has("max_delay_ms")) {
            fields.findings()
                    .add(
                            DefinitionCode.CONFLICTING_FIELDS,
                            fields.at("max_delay_ms"),
                            "The longest delay is shorter than the first.",
                            "Make max_delay_ms at least initial_delay_ms.");
        }
        Set<ErrorClass> classes = classes(fields);
        return new RetryPolicy(
                attempts,
                strategy == null
                        ? BackoffStrategy.FIXED
                        : BackoffStrategy.named(strategy).orElseThrow(),
                first,
                Math.max(first, longest),
                timeout,
                classes);
    }

    /// Those that are retried at all.
    private static Set<ErrorClass> classes(Fields fields) {
        var classes = EnumSet.noneOf(ErrorClass.class);
        JsonNode list = fields.list("retry_on_classes", 0, CLASSES.size());
        for (int i = 0; i < list.size(); i++) {
            String at = Pointers.child(fields.at("retry_on_classes"), i);
            String name = list.get(i).asString("");
            if (!list.get(i).isString() || !CLASSES.contains(name)) {
                fields.findings()
                        .add(
                                DocumentCode.INVALID_VALUE,
                                at,
                                "There is no error class " + Fields.shown(name) + ".",
                                "Use some of " + retried() + ".");
            } else if (!ErrorClass.valueOf(name).isRetried()) {
                fields.findings()
                        .add(
                                DefinitionCode.CLASS_NEVER_RETRIED,
                                at,
                                "Errors of the class " + name + " are never retried.",
                                "Remove it; " + retried() + " can be retried.");
            } else if (!classes.add(ErrorClass.valueOf(name))) {
                fields.findings()
                        .add(
                                DocumentCode.INVALID_VALUE,
                                at,
                                "The class " + name + " stands twice.",
                                "Remove one of them.");
            }
        }
        return classes;
    }

    private static String retried() {
        return String.join(
                ", ",
                Arrays.stream(ErrorClass.values())
                        .filter(ErrorClass::isRetried)
                        .map(Enum::name)
                        .toList());
    }
}
