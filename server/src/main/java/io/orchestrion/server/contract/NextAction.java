package io.orchestrion.server.contract;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.SentKeys;
import io.orchestrion.server.limits.Pace;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One thing that an agent can do next.
///
/// @param available whether it works now
/// @param recommended whether it is the one to choose when in doubt
/// @param method with `endpoint`, where it is a call
/// @param requiredFields what the call's body must hold
/// @param waitSeconds for a wait, how long
/// @param exact whether the wait stays as it is, however often the caller may ask
public record NextAction(
        ActionCode code,
        boolean available,
        boolean recommended,
        @Nullable String method,
        @Nullable String endpoint,
        List<String> requiredFields,
        @Nullable Long waitSeconds,
        boolean exact) {

    public static NextAction call(
            ActionCode code, String method, String endpoint, String... requiredFields) {
        return new NextAction(
                code, true, false, method, endpoint, List.of(requiredFields), null, false);
    }

    /// Something to do that is not a call of this server.
    public static NextAction act(ActionCode code) {
        return new NextAction(code, true, false, null, null, List.of(), null, false);
    }

    /// Wait, then send the same request again.
    public static NextAction waitAndRepeat(long seconds, String method, String endpoint) {
        return new NextAction(
                ActionCode.RETRY_AFTER_WAIT,
                true,
                true,
                method,
                SentKeys.hidden(endpoint),
                List.of(),
                Math.max(1, seconds),
                false);
    }

    /// A wait that goes before another action, which is the one to choose.
    public static NextAction waitFirst(long seconds, String method, String endpoint) {
        return new NextAction(
                ActionCode.RETRY_AFTER_WAIT,
                true,
                false,
                method,
                endpoint,
                List.of(),
                seconds,
                false);
    }

    public NextAction best() {
        return new NextAction(
                code, available, true, method, endpoint, requiredFields, waitSeconds, exact);
    }

    /// Worth it only after a wait.
    public NextAction after(long seconds) {
        return new NextAction(
                code, available, recommended, method, endpoint, requiredFields, seconds, exact);
    }

    /// With a wait that is long enough for the limits of its caller, however often it is repeated.
    NextAction at(Pace pace) {
        if (waitSeconds == null || method == null || endpoint == null || exact) {
            return this;
        }
        long least = pace.seconds(method, endpoint);
        return waitSeconds >= least ? this : after(least);
    }

    /// With a wait that no limit makes longer: what is waited for ends before a limit is reached.
    public NextAction exactly() {
        return new NextAction(
                code, available, recommended, method, endpoint, requiredFields, waitSeconds, true);
    }

    public NextAction notNow() {
        return new NextAction(
                code, false, false, method, endpoint, requiredFields, waitSeconds, exact);
    }

    void write(JsonWriter out) {
        out.text("action", code.word())
                .bool("available", available)
                .bool("recommended", recommended);
        if (method != null) {
            out.text("method", method).text("endpoint", endpoint);
        }
        if (!requiredFields.isEmpty()) {
            out.texts("required_fields", requiredFields);
        }
        if (waitSeconds != null) {
            out.integer("retry_after_seconds", waitSeconds);
        }
    }
}
