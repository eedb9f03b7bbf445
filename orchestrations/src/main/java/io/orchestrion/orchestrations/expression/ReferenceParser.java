package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the text of a reference.
final class ReferenceParser {
    private static final Pattern STEP =
            Pattern.compile(
                    "\\$\\.steps\\.([A-Za-z][A-Za-z0-9_-]{0,99})\\.result(?![A-Za-z0-9_-])");
    private static final Pattern INPUT = Pattern.compile("\\$\\.input(?![A-Za-z0-9_-])");
    private static final Pattern EXECUTION = Pattern.compile("\\$\\.execution\\.([a-z_]+)");

    /// A plain name, an index, or any name in quotes. Possessive, so that a long text is read once.
    private static final Pattern SEGMENT =
            Pattern.compile(
                    "\\.([A-Za-z_$][A-Za-z0-9_$-]*+)|\\[([0-9]{1,6}+)]|\\[\"((?:[^\"\\\\]|\\\\[\"\\\\])*+)\"]");

    private final String text;

    ReferenceParser(String text) {
        this.text = text;
    }

    Reference.Read read() {
        if (text.length() > ExpressionLimits.REFERENCE_CHARACTERS) {
            return fault("has more than " + ExpressionLimits.REFERENCE_CHARACTERS + " characters");
        }
        Matcher execution = EXECUTION.matcher(text);
        if (execution.matches()) {
            String fact = execution.group(1);
            return ExecutionFacts.NAMES.contains(fact)
                    ? found(Reference.Root.EXECUTION, null, List.of(fact))
                    : fault("names no fact of an execution; there are " + facts());
        }
        Matcher step = STEP.matcher(text);
        if (step.lookingAt()) {
            return below(Reference.Root.STEP, step.group(1), step.end());
        }
        Matcher input = INPUT.matcher(text);
        if (input.lookingAt()) {
            return below(Reference.Root.INPUT, null, input.end());
        }
        return fault(
                "begins with none of $.input, $.steps.<step id>.result and $.execution.<fact>");
    }

    private Reference.Read below(Reference.Root root, @Nullable String stepId, int from) {
        var path = new ArrayList<Object>();
        Matcher segment = SEGMENT.matcher(text);
        int at = from;
        while (at < text.length()) {
            if (!segment.region(at, text.length()).lookingAt()) {
                return fault(
                        "cannot be read at character "
                                + (at + 1)
                                + ", where .name, [0] or [\"a name\"] is expected");
            }
            if (path.size() == ExpressionLimits.REFERENCE_SEGMENTS) {
                return fault(
                        "has more than "
                                + ExpressionLimits.REFERENCE_SEGMENTS
                                + " names and indexes");
            }
            path.add(segment(segment));
            at = segment.end();
        }
        return found(root, stepId, path);
    }

    private static Object segment(Matcher read) {
        if (read.group(1) != null) {
            return read.group(1);
        }
        return read.group(2) != null
                ? (Object) Integer.valueOf(read.group(2))
                : read.group(3).replaceAll("\\\\(.)", "$1");
    }

    private Reference.Read found(Reference.Root root, @Nullable String stepId, List<Object> path) {
        return new Reference.Read(new Reference(text, root, stepId, List.copyOf(path)), null);
    }

    private static Reference.Read fault(String fault) {
        return new Reference.Read(null, fault);
    }

    private static String facts() {
        return String.join(", ", ExecutionFacts.NAMES);
    }
}
