package io.orchestrion.server.jobs;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.webhooks.Deliverer;
import io.orchestrion.server.webhooks.Receiver;
import io.orchestrion.server.webhooks.Sender;
import io.orchestrion.server.webhooks.SigningSecret;
import io.orchestrion.server.webhooks.WebhookOutcome;
import io.orchestrion.server.webhooks.Webhooks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Registering and managing webhooks.
public final class WebhookHandlers {
    private static final String SECRET_RULE =
            "secret must be whsec_ followed by "
                    + SigningSecret.BYTES_MIN
                    + " to "
                    + SigningSecret.BYTES_MAX
                    + " bytes in base64";

    private final Webhooks webhooks;

    public WebhookHandlers(Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(WebhookEndpoints.CREATE, this::create)
                .handle(WebhookEndpoints.LIST, this::list)
                .handle(WebhookEndpoints.GET, this::get)
                .handle(WebhookEndpoints.CHANGE, this::change)
                .handle(WebhookEndpoints.DELETE, this::delete)
                .handle(WebhookEndpoints.ROTATE, this::rotate)
                .handle(WebhookEndpoints.PING, this::ping);
    }

    private Answer create(Call call) {
        Values body = call.json();
        String header = call.header(Once.KEY_HEADER).orElse(null);
        if (header != null && !Once.keyAllowed(header)) {
            return JobsProblems.malformed(
                    call, Once.KEY_HEADER, "1.." + Once.KEY_MAX, Once.KEY_RULE);
        }
        String url = body.text("url");
        String fault = webhooks.addressFault(Callers.account(call), url);
        if (fault != null) {
            return JobsProblems.invalid(call, "url", null, "url " + fault);
        }
        List<String> events = body.texts("events");
        Answer unknown = unknownEvent(call, events);
        if (unknown != null) {
            return unknown;
        }
        String given = body.textOrNull("secret");
        SigningSecret secret = given == null ? null : SigningSecret.read(given);
        if (given != null && secret == null) {
            return JobsProblems.invalid(call, "secret", null, SECRET_RULE);
        }
        Principal caller = Callers.caller(call);
        return answer(
                call,
                201,
                webhooks.create(
                        caller,
                        new Webhooks.New(
                                url,
                                events,
                                body.text("description"),
                                secret,
                                header == null ? null : key(caller, header, body))));
    }

    /// Of the account, whichever of its keys is used.
    private static IdempotencyKey key(Principal caller, String key, Values body) {
        return new IdempotencyKey(
                JobsDoor.NAME,
                caller.accountId(),
                "webhook",
                key,
                CanonicalJson.digest(body),
                Once.ANSWER_KEPT,
                Once.PLACEHOLDER_STALE);
    }

    private @Nullable Answer unknownEvent(Call call, List<String> events) {
        List<String> known = webhooks.eventNames();
        for (String event : events) {
            if (!known.contains(event)) {
                return JobsProblems.invalid(
                        call,
                        "events",
                        String.join(", ", known),
                        "events must hold names of events, such as "
                                + known.getFirst()
                                + "; there is no such event as one of those given");
            }
        }
        return new HashSet<>(events).size() == events.size()
                ? null
                : JobsProblems.invalid(call, "events", null, "events must not hold a name twice");
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return DeliveryHandlers.badCursor(call);
        }
        int limit = query.int32("limit");
        List<WebhookOutcome.Done> found = webhooks.list(Callers.account(call), before, limit + 1);
        List<WebhookOutcome.Done> page = found.subList(0, Math.min(limit, found.size()));
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects(
                                                "webhooks",
                                                page,
                                                (each, done) ->
                                                        write(
                                                                each,
                                                                done.webhook(),
                                                                done.formerEndsMs(),
                                                                done.nowMs()))
                                        .text(
                                                "next_cursor",
                                                found.size() > limit
                                                        ? PageCursor.of(
                                                                page.getLast().webhook().id())
                                                        : null)));
    }

    private Answer get(Call call) {
        return about(call, 200, id -> webhooks.get(Callers.account(call), id));
    }

    private Answer change(Call call) {
        Values body = call.json();
        List<String> events = body.has("events") ? body.texts("events") : null;
        if (events != null) {
            Answer unknown = unknownEvent(call, events);
            if (unknown != null) {
                return unknown;
            }
        }
        var change =
                new Webhooks.Change(
                        events,
                        body.textOrNull("description"),
                        body.has("paused") ? body.bool("paused") : null);
        return about(call, 200, id -> webhooks.change(Callers.caller(call), id, change));
    }

    private Answer delete(Call call) {
        return about(call, 200, id -> webhooks.delete(Callers.caller(call), id));
    }

    private Answer rotate(Call call) {
        Values body = call.json();
        String given = body.textOrNull("secret");
        SigningSecret secret = given == null ? null : SigningSecret.read(given);
        if (given != null && secret == null) {
            return JobsProblems.invalid(call, "secret", null, SECRET_RULE);
        }
        Duration overlap = Duration.ofSeconds(body.integer("overlap_seconds"));
        try {
            return about(
                    call, 200, id -> webhooks.rotate(Callers.caller(call), id, secret, overlap));
        } catch (Webhooks.TooManySecrets e) {
            return answer(call, 409, new WebhookOutcome.TooManySecrets(Webhooks.SECRETS_MAX));
        }
    }

    private Answer ping(Call call) {
        UUID id = Callers.id(call, "webhook_id");
        WebhookOutcome found =
                id == null
                        ? new WebhookOutcome.NotFound()
                        : webhooks.get(Callers.account(call), id);
        if (!(found instanceof WebhookOutcome.Done done)) {
            return answer(call, 200, found);
        }
        Deliverer.Pinged pinged = webhooks.ping(done.webhook());
        if (pinged == null) {
            return JobsProblems.later(
                    call,
                    JobsError.REQUEST_OVERLOADED,
                    1,
                    "As many calls of receivers as may be are under way.");
        }
        return switch (pinged.outcome()) {
            case Sender.Outcome.Answered(var status, _, _) ->
                    pinged(pinged.millis(), Long.valueOf(status), null);
            case Sender.Outcome.Unanswered(var error, var detail) ->
                    error.equals(Sender.TIMED_OUT)
                            ? JobsProblems.error(call, JobsError.DEPENDENCY_TIMEOUT, detail)
                            : pinged(pinged.millis(), null, error);
        };
    }

    private static Answer pinged(long millis, @Nullable Long status, @Nullable String error) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.bool(
                                                "delivered",
                                                status != null && status >= 200 && status < 300)
                                        .integer("status", status)
                                        .text("error", error)
                                        .integer("duration_ms", millis)));
    }

    private static Answer about(Call call, int status, Function<UUID, WebhookOutcome> deed) {
        UUID id = Callers.id(call, "webhook_id");
        return answer(call, status, id == null ? new WebhookOutcome.NotFound() : deed.apply(id));
    }

    private static Answer answer(Call call, int status, WebhookOutcome outcome) {
        return switch (outcome) {
            case WebhookOutcome.Done(var webhook, var former, var nowMs) ->
                    Answer.json(
                            status, JsonWriter.object(out -> write(out, webhook, former, nowMs)));
            case WebhookOutcome.Made made ->
                    Answer.json(
                                    status,
                                    JsonWriter.object(
                                            out ->
                                                    write(
                                                                    out,
                                                                    made.webhook(),
                                                                    made.formerEndsMs(),
                                                                    made.nowMs())
                                                            .text("secret", made.secret().reveal())
                                                            .text(
                                                                    "secret_id",
                                                                    made.secretId().toString())))
                            .with("Cache-Control", "no-store");
            case WebhookOutcome.Replayed(var webhook, var nowMs) ->
                    Answer.json(
                                    status,
                                    JsonWriter.object(
                                            out ->
                                                    write(out, webhook, null, nowMs)
                                                            .nil("secret")
                                                            .nil("secret_id")))
                            .with(Once.REPLAYED, "true");
            case WebhookOutcome.Deleted() ->
                    Answer.json(200, JsonWriter.object(out -> out.bool("deleted", true)));
            case WebhookOutcome.NotFound() -> noSuchWebhook(call);
            case WebhookOutcome.Foreign() -> JobsProblems.othersOwn(call);
            case WebhookOutcome.Exists() ->
                    JobsProblems.error(
                            call,
                            JobsError.WEBHOOK_CONFLICT,
                            "The client has a webhook with this url and these events.");
            case WebhookOutcome.TooMany(var most) ->
                    JobsProblems.error(
                            call,
                            JobsError.WEBHOOK_CONFLICT,
                            "A client may have " + most + " webhooks and has that many.");
            case WebhookOutcome.TooManySecrets(var most) ->
                    JobsProblems.error(
                            call,
                            JobsError.WEBHOOK_CONFLICT,
                            most
                                    + " secrets of this webhook sign already; rotate with"
                                    + " overlap_seconds 0 to end the older ones.");
            case WebhookOutcome.KeyConflict() ->
                    JobsProblems.error(
                            call,
                            JobsError.EXEC_IDEMPOTENCY_CONFLICT,
                            "The idempotency key was used for another request.");
            case WebhookOutcome.KeyInFlight() ->
                    JobsProblems.later(
                            call,
                            JobsError.EXEC_IDEMPOTENCY_IN_FLIGHT,
                            1,
                            "The first request with this idempotency key is still under way.");
        };
    }

    static Answer noSuchWebhook(Call call) {
        return JobsProblems.error(call, JobsError.WEBHOOK_NOT_FOUND, "There is no such webhook.");
    }

    private static JsonWriter write(
            JsonWriter out, Receiver webhook, @Nullable Long formerEndsMs, long nowMs) {
        out.text("webhook_id", webhook.id().toString())
                .text("url", webhook.url())
                .texts("events", webhook.events())
                .text("description", webhook.description())
                .text("state", webhook.state().word())
                .text("reason", webhook.reason())
                .text("circuit", webhook.circuit(nowMs).word());
        DeliveryHandlers.instant(out, "circuit_open_until", webhook.openUntilMs());
        out.integer("consecutive_failures", webhook.failures());
        DeliveryHandlers.instant(out, "failing_since", webhook.failingSinceMs());
        out.text("last_failure", webhook.lastFailure());
        DeliveryHandlers.instant(out, "last_success_at", webhook.lastSuccessMs());
        DeliveryHandlers.instant(out, "former_secret_expires_at", formerEndsMs);
        return out.instant("created_at", webhook.createdMs())
                .instant("updated_at", webhook.updatedMs());
    }
}
