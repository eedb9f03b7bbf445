package io.orchestrion.server.queue;

import static io.orchestrion.server.queue.QueueSpecs.PROFILE;

import io.orchestrion.kernel.events.ItemLogFeed;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.itemlog.Appended;
import io.orchestrion.kernel.itemlog.LogLevel;
import io.orchestrion.kernel.itemlog.LogLine;
import io.orchestrion.kernel.itemlog.LogPage;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.UUID;

/// The log of a job: appended to by its worker, read as pages, as pages that are waited for, and as
/// a stream.
public final class JobEventHandlers {
    private final Work work;
    private final ItemLogFeed feed;
    private final Identity identity;

    public JobEventHandlers(Work work, ItemLogFeed feed, Identity identity) {
        this.work = work;
        this.feed = feed;
        this.identity = identity;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(JobEventEndpoints.APPEND, this::append)
                .handle(JobEventEndpoints.LIST, this::list);
    }

    private Answer append(Call call) {
        Values body = call.json();
        Answer foreign = JobHolderHandlers.refuseForeignName(call, body);
        if (foreign != null) {
            return foreign;
        }
        UUID id = Callers.id(call, QueueEndpoints.ID);
        if (id == null) {
            return QueueProblems.noSuchJob(call);
        }
        var line =
                new LogLine(
                        JobHolderHandlers.caller(call).account(),
                        PROFILE,
                        id,
                        JobHolderHandlers.fence(body),
                        LogLevel.valueOf(body.text("level").toUpperCase(Locale.ROOT)),
                        body.text("message"),
                        body.jsonOrNull("payload"));
        return switch (work.append(line)) {
            case Appended.Added(var event) ->
                    Answer.json(201, JsonWriter.object(out -> JobJson.write(out, event)));
            case Appended.NotFound() -> QueueProblems.noSuchJob(call);
            case Appended.NotHeld(var item) -> JobRefusals.notHeld(call, item);
            case Appended.TooMany(var what, var max, var waitMs) ->
                    tooMany(call, "At most " + max + " " + what + " are taken.", waitMs);
        };
    }

    /// @param waitMs 0 for never
    private static Answer tooMany(Call call, String detail, long waitMs) {
        return waitMs == 0
                ? QueueProblems.error(call, QueueError.EVENT_LOG_FULL, detail)
                : QueueProblems.later(
                        call,
                        QueueError.TOO_MANY_EVENTS,
                        Math.max(1, (waitMs + 999) / 1000),
                        detail);
    }

    private Answer list(Call call) throws Exception {
        Values query = call.queryValues();
        boolean follow = EventFollow.wanted(call);
        String lastId = follow ? call.header(EventFollow.LAST_ID).orElse(null) : null;
        Long after = place(lastId == null ? query.textOrNull("after") : lastId);
        if (after == null) {
            String field = lastId == null ? "after" : EventFollow.LAST_ID;
            return QueueProblems.badField(
                    call,
                    field,
                    null,
                    field
                            + " must be a time such as 2030-01-31T08:30:00.000Z, or the nextCursor"
                            + " of an earlier answer.");
        }
        UUID account = Callers.account(call);
        UUID id = Callers.id(call, QueueEndpoints.ID);
        int limit = query.int32("limit");
        LogPage page = id == null ? null : JobLogPlace.read(feed, account, id, after, limit);
        if (id == null || page == null) {
            return QueueProblems.noSuchJob(call);
        }
        if (follow) {
            return EventFollow.stream(
                    JobLogPlace.opening(feed, account, id, after, JobLogPlace.PAGE),
                    query.int32("seconds"),
                    () -> Callers.stillGood(identity, call));
        }
        int wait = query.int32("waitSeconds");
        return answer(
                page.events().isEmpty() && wait > 0
                        ? EventFollow.awaited(
                                call, JobLogPlace.opening(feed, account, id, after, limit), wait)
                        : page);
    }

    private static @Nullable Long place(@Nullable String text) {
        return text == null ? Long.valueOf(ItemLogFeed.START) : JobEventCursor.read(text);
    }

    private static Answer answer(LogPage page) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("items", page.events(), JobJson::write)
                                        .text("nextCursor", JobEventCursor.of(page.nextMs()))
                                        .bool("hasMore", page.more())));
    }
}
