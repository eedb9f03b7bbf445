package io.orchestrion.server.queue;

import io.orchestrion.kernel.identity.ApiKey;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.KeyFound;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.identity.WorkerSecret;
import io.orchestrion.kernel.identity.WorkerToken;
import io.orchestrion.kernel.identity.WorkerTokens;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.KeyOwner;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.oidc.JwtOutcome;
import io.orchestrion.server.oidc.JwtVerifier;
import io.orchestrion.server.oidc.JwtWorker;
import io.orchestrion.server.queue.WorkerCaller.Credential;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Says who asks at the queue door: a worker with a worker token or a JWT, which open the worker
/// verbs alone, or somebody with an API key of the account. A worker's token is looked up anew each
/// time, so that what was changed about it holds from then on.
public final class WorkerAuthentication implements QueueGates.Authentication {
    public static final String TOKEN_HEADER = "X-MoonMind-Worker-Token";

    private static final Logger log = LoggerFactory.getLogger(WorkerAuthentication.class);
    private static final String AUTHORIZATION = "Authorization";
    private static final Set<Scope> WORKING = Set.of(Scope.WORKER);
    private static final long ISSUER_RETRY_SECONDS = 5;

    private final Identity identity;
    private final WorkerTokens tokens;
    private final @Nullable JwtVerifier jwts;

    /// @param jwts null where no issuer is configured: then no JWT is good
    public WorkerAuthentication(
            Identity identity, WorkerTokens tokens, @Nullable JwtVerifier jwts) {
        this.identity = identity;
        this.tokens = tokens;
        this.jwts = jwts;
    }

    /// What the headers of a call come to.
    private sealed interface Shown {
        record Nothing() implements Shown {}

        record Several() implements Shown {}

        /// @param why what the caller reads
        /// @param owner the account whose key it was; null where nobody knows
        record Bad(String why, @Nullable UUID owner) implements Shown {
            Bad(String why) {
                this(why, null);
            }
        }

        record Undecided() implements Shown {}

        record Key(Principal principal) implements Shown {}

        record Worker(Principal principal, WorkerCaller caller) implements Shown {}
    }

    @Override
    public @Nullable Answer check(Call call, Endpoint endpoint) {
        boolean working = QueueEndpoints.forWorkers(endpoint);
        return switch (shown(call)) {
            case Shown.Nothing() -> nothing(call, working);
            case Shown.Several() -> ambiguous(call);
            case Shown.Bad(var why, var owner) -> {
                if (owner != null) {
                    call.attach(KeyOwner.class, new KeyOwner(owner));
                }
                yield QueueProblems.error(call, QueueError.INVALID_CREDENTIAL, why)
                        .with("WWW-Authenticate", "Bearer error=\"invalid_token\"");
            }
            case Shown.Undecided() ->
                    QueueProblems.later(
                            call,
                            QueueError.ISSUER_UNAVAILABLE,
                            ISSUER_RETRY_SECONDS,
                            "The keys of the token's issuer cannot be had at the moment, so the"
                                    + " token cannot be checked.");
            case Shown.Key(var principal) -> {
                call.attach(Principal.class, principal);
                if (working) {
                    call.attach(WorkerCaller.class, callerOf(principal));
                }
                yield null;
            }
            case Shown.Worker(var principal, var caller) -> {
                // Attached even when the call is refused, so that it is counted as the worker's.
                call.attach(Principal.class, principal);
                call.attach(WorkerCaller.class, caller);
                yield working
                        ? null
                        : QueueProblems.error(
                                call,
                                QueueError.INSUFFICIENT_SCOPE,
                                "A worker's token opens the verbs of workers only; this needs an"
                                        + " API key.");
            }
        };
    }

    static Answer ambiguous(Call call) {
        return QueueProblems.error(
                call,
                QueueError.AMBIGUOUS_CREDENTIALS,
                "Send one credential: " + TOKEN_HEADER + " or Authorization, and that once.");
    }

    private static Answer nothing(Call call, boolean working) {
        return QueueProblems.error(
                        call,
                        QueueError.NO_CREDENTIAL,
                        working
                                ? "Send a worker token as "
                                        + TOKEN_HEADER
                                        + ", or a JWT or an API key as Authorization: Bearer."
                                : "Send an API key as Authorization: Bearer orch_live_….")
                .with("WWW-Authenticate", "Bearer");
    }

    /// Whether the credential of a call that has gone on for a while is still good, and what it
    /// allows now; null when it is not.
    public @Nullable WorkerCaller again(Call call) {
        WorkerCaller then = call.attached(WorkerCaller.class).orElse(null);
        if (then == null) {
            return null;
        }
        return switch (shown(call)) {
            case Shown.Worker(_, var caller)
                    when caller.account().equals(then.account())
                            && caller.credential() == then.credential() ->
                    caller;
            case Shown.Key(var principal) when principal.equals(Callers.caller(call)) -> then;
            // Its times were looked at again, and its signature has not changed.
            case Shown.Undecided() -> then;
            case Shown.Worker _, Shown.Key _, Shown.Nothing _, Shown.Several _, Shown.Bad _ -> null;
        };
    }

    private Shown shown(Call call) {
        List<String> token = call.headers(TOKEN_HEADER);
        List<String> authorization = call.headers(AUTHORIZATION);
        if (token.size() + authorization.size() > 1) {
            return new Shown.Several();
        }
        if (!token.isEmpty()) {
            return token(call, token.getFirst().strip());
        }
        String bearer = Callers.bearer(call);
        if (bearer == null) {
            return new Shown.Nothing();
        }
        if (bearer.startsWith(ApiKey.PREFIX)) {
            return key(bearer);
        }
        if (bearer.startsWith(WorkerSecret.PREFIX)) {
            return new Shown.Bad("A worker token is sent as " + TOKEN_HEADER + ".");
        }
        return jwt(bearer);
    }

    private Shown key(String secret) {
        String bad = "The API key is malformed, unknown, expired or revoked.";
        return switch (identity.look(secret)) {
            case KeyFound.Live(var principal) -> new Shown.Key(principal);
            case KeyFound.Unknown() -> new Shown.Bad(bad);
            case KeyFound.Expired(var account) -> new Shown.Bad(bad, account);
            case KeyFound.Revoked(var account) -> new Shown.Bad(bad, account);
        };
    }

    private Shown token(Call call, String secret) {
        WorkerToken token = tokens.authenticate(secret, call.clientAddress().text());
        if (token == null) {
            return new Shown.Bad(
                    "The worker token is malformed, unknown, expired, replaced or not active.");
        }
        return worker(
                token.id(),
                new WorkerCaller(
                        token.account(),
                        token.workerId(),
                        new Policy(token.kinds(), token.repositories(), token.capabilities()),
                        Credential.TOKEN));
    }

    private Shown jwt(String text) {
        if (jwts == null) {
            return new Shown.Bad("No issuer of tokens is configured on this server.");
        }
        return switch (jwts.verify(text)) {
            case JwtOutcome.Good(var worker) ->
                    worker(
                            idOf(worker),
                            new WorkerCaller(
                                    worker.account(),
                                    worker.workerId(),
                                    new Policy(
                                            worker.kinds(),
                                            worker.repositories(),
                                            worker.capabilities()),
                                    Credential.JWT));
            case JwtOutcome.Refused(var reason) -> {
                log.debug("a JWT was refused: {}", reason);
                yield new Shown.Bad("The token is not one that this server takes.");
            }
            case JwtOutcome.Unavailable() -> new Shown.Undecided();
        };
    }

    /// The same for every token of a worker: what limits are counted by.
    private static UUID idOf(JwtWorker worker) {
        return UUID.nameUUIDFromBytes(
                (worker.account() + " " + worker.workerId()).getBytes(StandardCharsets.UTF_8));
    }

    private static Shown worker(UUID id, WorkerCaller caller) {
        return new Shown.Worker(new Principal(caller.account(), id, WORKING), caller);
    }

    /// A key has its account's rights and no policy.
    private static WorkerCaller callerOf(Principal principal) {
        return new WorkerCaller(principal.accountId(), null, Policy.ANYTHING, Credential.KEY);
    }
}
