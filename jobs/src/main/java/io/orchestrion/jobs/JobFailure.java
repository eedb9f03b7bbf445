package io.orchestrion.jobs;

import io.orchestrion.kernel.work.WorkFailures;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Why an attempt failed.
///
/// @param code one of the words below, or a handler's own: capitals, digits and underscores
/// @param retryable whether trying again may help; says nothing about retries that are left
public record JobFailure(String code, String text, boolean retryable) {
    /// The simulated work failed as its kind says.
    public static final String SIMULATED = "SIMULATED_FAILURE";

    /// The attempt ran longer than it may.
    public static final String TIMED_OUT = "RFA_EXEC_TIMEOUT";

    /// The runner was not heard of for the length of its lease.
    public static final String RUNNER_LOST = "RUNNER_LOST";

    /// The job's definition is missing.
    public static final String NO_DEFINITION = "DEFINITION_MISSING";

    /// The runner gave something that is not what the definition asks for.
    public static final String OUTPUT_INVALID = "OUTPUT_INVALID";

    /// Its report could not be made, so its success could not be told.
    public static final String REPORT_FAILED = "REPORT_FAILED";

    /// The handler threw.
    public static final String HANDLER_FAILED = "HANDLER_FAILED";

    /// No runner has the handler that the job is bound to.
    public static final String NO_HANDLER = "HANDLER_UNKNOWN";

    private static final int LONGEST = 2_000;
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern STORED =
            Pattern.compile("([A-Z][A-Z0-9_]{0,63})( \\(retryable\\))?: (.*)", Pattern.DOTALL);

    public JobFailure {
        if (!CODE.matcher(code).matches()) {
            throw new IllegalArgumentException("not a code of a failure: " + code);
        }
        text = text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }

    /// As it is stored in the item's row and in its history, readable for people.
    String stored() {
        return code + (retryable ? " (retryable): " : ": ") + text;
    }

    /// Reads what was stored; null for nothing.
    public static @Nullable JobFailure of(@Nullable String stored) {
        if (stored == null) {
            return null;
        }
        if (stored.equals(WorkFailures.LEASE_EXPIRED)) {
            return new JobFailure(RUNNER_LOST, stored, true);
        }
        if (stored.equals(WorkFailures.TIMED_OUT)) {
            return new JobFailure(TIMED_OUT, stored, false);
        }
        Matcher matcher = STORED.matcher(stored);
        return matcher.matches()
                ? new JobFailure(matcher.group(1), matcher.group(3), matcher.group(2) != null)
                : new JobFailure("FAILED", stored, false);
    }
}
