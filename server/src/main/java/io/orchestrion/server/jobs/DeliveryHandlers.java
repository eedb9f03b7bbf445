package io.orchestrion.server.jobs;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.jobs.JobDoorEvents.JobLook;
import io.orchestrion.server.webhooks.Delivery;
import io.orchestrion.server.webhooks.WebhookOutcome;
import io.orchestrion.server.webhooks.Webhooks;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Lists deliveries and their attempts, and delivers again.
public final class DeliveryHandlers {
    private final Webhooks webhooks;
    private final JobLook jobs;

    public DeliveryHandlers(Webhooks webhooks, JobLook jobs) {
        this.webhooks = webhooks;
        this.jobs = jobs;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(WebhookEndpoints.DELIVERIES, this::ofWebhook)
                .handle(WebhookEndpoints.DELIVERY, this::get)
                .handle(WebhookEndpoints.REDELIVER, this::redeliver)
                .handle(WebhookEndpoints.OF_JOB, this::ofJob);
    }

    static Answer badCursor(Call call) {
        return JobsProblems.invalid(
                call, "cursor", null, "cursor must be the next_cursor of an earlier answer");
    }

    private Answer ofWebhook(Call call) {
        UUID account = Callers.account(call);
        UUID id = Callers.id(call, "webhook_id");
        WebhookOutcome found =
                id == null ? new WebhookOutcome.NotFound() : webhooks.get(account, id);
        if (id == null || !(found instanceof WebhookOutcome.Done)) {
            return found instanceof WebhookOutcome.Foreign
                    ? JobsProblems.othersOwn(call)
                    : WebhookHandlers.noSuchWebhook(call);
        }
        Values query = call.queryValues();
        String word = query.textOrNull("state");
        return page(
                call,
                query,
                (after, most) ->
                        webhooks.deliveries()
                                .ofWebhook(
                                        account,
                                        id,
                                        word == null ? null : Delivery.State.of(word),
                                        after == null
                                                ? null
                                                : Long.valueOf(after.getLeastSignificantBits()),
                                        most),
                last -> new UUID(0, last.place()));
    }

    private Answer ofJob(Call call) {
        UUID account = Callers.account(call);
        UUID id = Callers.id(call, "job_id");
        Answer refusal =
                id == null ? JobsProblems.noSuchJob(call) : jobs.refusal(call, account, id);
        if (id == null || refusal != null) {
            return refusal == null ? JobsProblems.noSuchJob(call) : refusal;
        }
        return page(
                call,
                call.queryValues(),
                (after, most) ->
                        webhooks.deliveries()
                                .ofItem(account, Profiles.JOBS.queue(), id, after, most),
                Delivery::id);
    }

    @FunctionalInterface
    private interface Pages {
        List<Delivery> read(@Nullable UUID after, int most);
    }

    private static Answer page(
            Call call, Values query, Pages pages, Function<Delivery, UUID> place) {
        String cursor = query.textOrNull("cursor");
        UUID after = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && after == null) {
            return badCursor(call);
        }
        int limit = query.int32("limit");
        List<Delivery> found = pages.read(after, limit + 1);
        List<Delivery> page = found.subList(0, Math.min(limit, found.size()));
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("deliveries", page, DeliveryHandlers::write)
                                        .text(
                                                "next_cursor",
                                                found.size() > limit
                                                        ? PageCursor.of(place.apply(page.getLast()))
                                                        : null)));
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, "delivery_id");
        return answer(
                call,
                200,
                id == null ? null : webhooks.deliveries().get(Callers.account(call), id));
    }

    private Answer redeliver(Call call) {
        UUID id = Callers.id(call, "delivery_id");
        return answer(
                call,
                202,
                id == null ? null : webhooks.deliveries().redeliver(Callers.caller(call), id));
    }

    private static Answer answer(Call call, int status, @Nullable Delivery delivery) {
        return delivery == null
                ? JobsProblems.error(
                        call,
                        JobsError.DELIVERY_NOT_FOUND,
                        "There is no such delivery, or its webhook was deleted.")
                : Answer.json(status, JsonWriter.object(out -> write(out, delivery)));
    }

    private static void write(JsonWriter out, Delivery delivery) {
        out.text("delivery_id", delivery.id().toString())
                .text("webhook_id", delivery.callback() ? null : delivery.receiver().toString())
                .text("url", delivery.url())
                .text("event_id", delivery.eventId().toString())
                .text("event_name", delivery.eventName())
                .text("job_id", delivery.subject().toString())
                .text("state", delivery.state().word())
                .instant("created_at", delivery.createdMs());
        instant(out, "finished_at", delivery.finishedMs());
        instant(out, "next_attempt_at", delivery.nextMs());
        out.integer("attempt_count", delivery.attempt())
                .integer("max_attempts", delivery.maxAttempts())
                .text("reason", delivery.failure())
                .text(
                        "redelivery_of",
                        delivery.redeliveryOf() == null
                                ? null
                                : delivery.redeliveryOf().toString());
        boolean underWay = delivery.state() == Delivery.State.DELIVERING;
        out.objects(
                "attempts",
                delivery.attempts(),
                (each, attempt) -> {
                    boolean last = attempt.equals(delivery.attempts().getLast());
                    write(each, attempt, attempt.durationMs() == null && !(underWay && last));
                });
    }

    private static void write(JsonWriter out, Delivery.Attempt attempt, boolean cutOff) {
        out.instant("at", attempt.startedMs())
                .integer("duration_ms", attempt.durationMs())
                .integer("status", attempt.status() == null ? null : Long.valueOf(attempt.status()))
                .text("error", cutOff ? "interrupted" : attempt.error())
                .text(
                        "detail",
                        cutOff
                                ? "The server that made the call ended before its answer came."
                                : attempt.detail())
                .text("response", attempt.answer());
        instant(out, "next_attempt_at", attempt.nextMs());
    }

    static void instant(JsonWriter out, String name, @Nullable Long millis) {
        out.instant(name, millis == null ? null : Instant.ofEpochMilli(millis));
    }
}
