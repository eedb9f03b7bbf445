package io.orchestrion.kernel.egress;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The outcome of a call.
public sealed interface CallOutcome {
    /// There was an answer, of whatever status.
    ///
    /// @param headers by their names, in which the case does not matter
    /// @param body at most as much as the call asked for
    record Answered(int status, Map<String, List<String>> headers, byte[] body)
            implements CallOutcome {
        private static final Pattern SECONDS = Pattern.compile("[0-9]{1,7}");

        public Answered {
            var byName = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
            byName.putAll(headers);
            headers = byName;
        }

        /// The first of that name; null when there is none.
        public @Nullable String header(String name) {
            List<String> all = headers.get(name);
            return all == null ? null : all.getFirst();
        }

        /// How long the server asks us to wait; null when it does not say so in seconds.
        public @Nullable Long retryAfterSeconds() {
            String asked = header("Retry-After");
            return asked != null && SECONDS.matcher(asked).matches() ? Long.valueOf(asked) : null;
        }
    }

    /// There was none that could be used.
    ///
    /// @param detail a sentence for people, which quotes nothing of what was sent
    /// @param sent whether the request was begun to be sent, so that it may have had its effect
    record Failed(Reason reason, String detail, boolean sent) implements CallOutcome {}

    /// Why there is no answer.
    enum Reason {
        /// The URL is not one that may be called, or its host is at an address that may not be.
        ADDRESS_REFUSED,
        /// The name of the host has no address, or no name server answered in time.
        UNKNOWN_HOST,
        /// No server accepted the connection.
        CONNECT_FAILED,
        /// There was no secure connection.
        TLS_FAILED,
        /// It was not over within the time it was given, connecting included.
        TIMED_OUT,
        /// The connection broke, or the answer was no HTTP.
        BROKEN,
        /// The answer is larger than the call allowed.
        TOO_LARGE
    }
}
