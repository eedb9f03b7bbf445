package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.SentKeys;
import io.orchestrion.server.limits.Pace;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// One thing that an agent can do next.
///
/// @param available whether it works now
/// @param recommended whether it is the one to choose when in doubt
/// @param method with `endpoint`, where it is a call
/// @param requiredFields what the call's body must hold
/// @param waitSeconds for a wait, how long
/// @param exact whether the wait stays as it is, however often the caller may ask
public record NextAction(
        Code code,
        boolean available,
        boolean recommended,
        @Nullable String method,
        @Nullable String endpoint,
        List<String> requiredFields,
        @Nullable Long waitSeconds,
        boolean exact) {

    /// Every action code. Codes are never removed or renamed within `/v1`.
    public enum Code {
        CREATE_TASK(Scope.PRODUCER),
        CLAIM_TASK(Scope.WORKER),
        COMPLETE_TASK(Scope.WORKER),
        FAIL_TASK(Scope.WORKER),
        HEARTBEAT(Scope.WORKER),
        CHECK_TASK_STATUS,
        REQUEUE_TASK(Scope.PRODUCER, Scope.OPERATOR),
        RETRY_AFTER_WAIT,
        AUTHENTICATE,
        FIX_REQUEST,
        DOWNLOAD_ARTIFACT,
        LIST_TASKS,
        UPGRADE_PLAN(Scope.PRODUCER),
        RENEW_PLAN(Scope.PRODUCER),
        CHECK_BILLING_STATUS,
        VERIFY_PAYMENT(Scope.PRODUCER),
        RETRY_CHECKOUT(Scope.PRODUCER),
        CHECK_OPERATION(Scope.OPERATOR),
        RELEASE_TASK(Scope.PRODUCER, Scope.OPERATOR);

        private final Set<Scope> scopes;
        private final String word = name().toLowerCase(Locale.ROOT);

        /// @param scopes that its call needs one of, beside `admin`; none for any key
        Code(Scope... scopes) {
            this.scopes = Set.of(scopes);
        }

        boolean isFor(Set<Scope> key) {
            return scopes.isEmpty()
                    || key.contains(Scope.ADMIN)
                    || key.stream().anyMatch(scopes::contains);
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Code::word).toList();
        }

        public String word() {
            return word;
        }
    }

    public static NextAction call(
            Code code, String method, String endpoint, String... requiredFields) {
        return new NextAction(
                code, true, false, method, endpoint, List.of(requiredFields), null, false);
    }

    /// Something to do that is no call of ours.
    static NextAction act(Code code) {
        return new NextAction(code, true, false, null, null, List.of(), null, false);
    }

    /// Wait, then send the same request again.
    public static NextAction waitAndRepeat(long seconds, String method, String endpoint) {
        return new NextAction(
                Code.RETRY_AFTER_WAIT,
                true,
                true,
                method,
                SentKeys.hidden(endpoint),
                List.of(),
                Math.max(1, seconds),
                false);
    }

    /// A wait that goes before another action, which is the one to choose.
    static NextAction waitFirst(long seconds, String method, String endpoint) {
        return new NextAction(
                Code.RETRY_AFTER_WAIT, true, false, method, endpoint, List.of(), seconds, false);
    }

    public NextAction best() {
        return new NextAction(
                code, available, true, method, endpoint, requiredFields, waitSeconds, exact);
    }

    /// Worth it only after a wait.
    NextAction after(long seconds) {
        return new NextAction(
                code, available, recommended, method, endpoint, requiredFields, seconds, exact);
    }

    /// With a wait that its caller may keep to for as long as it likes.
    NextAction at(Pace pace) {
        if (waitSeconds == null || method == null || endpoint == null || exact) {
            return this;
        }
        long least = pace.seconds(method, endpoint);
        return waitSeconds >= least ? this : after(least);
    }

    /// A wait that is as long as it must be: what is waited for ends by itself before the limits
    /// come into it.
    NextAction exactly() {
        return new NextAction(
                code, available, recommended, method, endpoint, requiredFields, waitSeconds, true);
    }

    NextAction notNow() {
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
