package io.orchestrion.server.door;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.KeyFound;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// What every handler reads of a request: its caller, and the id in its path.
public final class Callers {
    private static final String AUTHORIZATION = "Authorization";
    private static final String BEARER = "bearer";

    private Callers() {}

    /// The caller. Every endpoint that asks for a key has one.
    public static Principal caller(Call call) {
        return call.attached(Principal.class)
                .orElseThrow(() -> new IllegalStateException("nobody was authenticated"));
    }

    public static UUID account(Call call) {
        return caller(call).accountId();
    }

    /// The credential that was sent as `Authorization: Bearer`; null when there is none, or another
    /// scheme.
    public static @Nullable String bearer(Call call) {
        String header = call.header(AUTHORIZATION).orElse("").strip();
        boolean bearer =
                header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                        && (header.length() == BEARER.length()
                                || header.charAt(BEARER.length()) == ' ');
        return bearer ? header.substring(BEARER.length()).strip() : null;
    }

    /// Attaches the principal of a key, and returns it. Null for a key that opens nothing; if that
    /// has an owner, the owner is attached for the log.
    public static @Nullable Principal known(Call call, KeyFound found) {
        return switch (found) {
            case KeyFound.Live(var principal) -> {
                call.attach(Principal.class, principal);
                yield principal;
            }
            case KeyFound.Unknown() -> null;
            case KeyFound.Expired(var account) -> refused(call, account);
            case KeyFound.Revoked(var account) -> refused(call, account);
        };
    }

    private static @Nullable Principal refused(Call call, UUID account) {
        call.attach(KeyOwner.class, new KeyOwner(account));
        return null;
    }

    /// Whether more than one `Authorization` was sent.
    public static boolean ambiguous(Call call) {
        return call.headers(AUTHORIZATION).size() > 1;
    }

    /// Whether the key of a call that has gone on for a while still opens what it did.
    public static boolean stillGood(Identity identity, Call call) {
        String sent = bearer(call);
        return sent != null && caller(call).equals(identity.authenticate(sent));
    }

    /// Why the caller's key is not for this endpoint; null when it is.
    public static @Nullable String scopeMissing(Call call, Endpoint endpoint) {
        Set<Scope> scopes = call.attached(Principal.class).map(Principal::scopes).orElse(Set.of());
        return endpoint.scopes().isEmpty() || anyOf(scopes, endpoint.scopes())
                ? null
                : "This needs a key with the scope "
                        + String.join(" or ", endpoint.scopes())
                        + "; this one has "
                        + scopes.stream()
                                .sorted()
                                .map(Scope::word)
                                .collect(Collectors.joining(", "))
                        + ".";
    }

    private static boolean anyOf(Set<Scope> scopes, Set<String> words) {
        for (Scope scope : scopes) {
            if (words.contains(scope.word())) {
                return true;
            }
        }
        return false;
    }

    /// The id in the path; null for what can be no id, which is then one that nobody has.
    ///
    /// @param parameter its name in the path
    public static @Nullable UUID id(Call call, String parameter) {
        return uuidOrNull(call.pathParameter(parameter));
    }

    public static @Nullable UUID uuidOrNull(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
