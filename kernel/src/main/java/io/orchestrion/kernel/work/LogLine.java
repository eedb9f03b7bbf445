package io.orchestrion.kernel.work;

import io.orchestrion.kernel.combine.OfAccount;
import io.orchestrion.kernel.joblog.JobEvent;
import io.orchestrion.kernel.joblog.JobLevel;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// What a holder wants to add to the log of its item.
///
/// @param fence names the holder
/// @param payload the text of a JSON object
public record LogLine(
        UUID accountId,
        Profile profile,
        UUID jobId,
        Fence fence,
        JobLevel level,
        String message,
        @Nullable String payload)
        implements OfAccount {

    public LogLine {
        if (!profile.keeping().log()) {
            throw new IllegalArgumentException("items of " + profile.name() + " keep no log");
        }
        int length = message.codePointCount(0, message.length());
        if (length < 1 || length > JobEvent.MESSAGE_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "message must have 1 to " + JobEvent.MESSAGE_CHARS_MAX + " characters");
        }
        if (payload != null
                && payload.getBytes(StandardCharsets.UTF_8).length > JobEvent.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "payload must have at most " + JobEvent.PAYLOAD_BYTES_MAX + " bytes");
        }
    }

    int bytes() {
        return message.getBytes(StandardCharsets.UTF_8).length
                + (payload == null ? 0 : payload.getBytes(StandardCharsets.UTF_8).length);
    }
}
