package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskSpecs.PROFILE;

import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventFeed;
import io.orchestrion.kernel.events.EventPage;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.work.Work;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.Values;

import org.jspecify.annotations.Nullable;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What happened to the account's tasks: as pages, as pages that are waited for, as a stream, and
/// of one task.
public final class EventHandlers {
    /// What narrows a page, beside where it begins.
    private static final List<String> FILTERS = List.of("type", "taskId", "event");

    private final EventFeed feed;
    private final Work work;
    private final Identity identity;

    public EventHandlers(EventFeed feed, Work work, Identity identity) {
        this.feed = feed;
        this.work = work;
        this.identity = identity;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(EventEndpoints.LIST, this::list)
                .handle(EventEndpoints.STREAM, this::stream)
                .handle(EventEndpoints.OF_TASK, this::ofTask);
    }

    private Answer list(Call call) throws Exception {
        Values query = call.queryValues();
        EventCursor after = place(call, query.textOrNull("after"));
        if (after == null) {
            return noPlace(call, "after");
        }
        EventQuery wanted = wanted(call, query);
        int limit = query.int32("limit");
        int waitSeconds = query.int32("waitSeconds");
        EventPage page = feed.read(wanted, after, limit);
        return answer(
                page.events().isEmpty() && waitSeconds > 0
                        ? EventFollow.awaited(
                                call,
                                FeedPlace.opening(feed, wanted, page.next(), limit),
                                waitSeconds)
                        : page,
                "/v1/events",
                query);
    }

    private Answer stream(Call call) {
        Values query = call.queryValues();
        String lastId = call.header(EventFollow.LAST_ID).orElse(null);
        EventCursor after = place(call, lastId == null ? query.textOrNull("after") : lastId);
        if (after == null) {
            return noPlace(call, lastId == null ? "after" : EventFollow.LAST_ID);
        }
        EventQuery wanted = wanted(call, query);
        // A store that is away is told of while there is still a status to do it with.
        feed.read(wanted, after, 1);
        return EventFollow.stream(
                FeedPlace.opening(feed, wanted, after, FeedPlace.PAGE),
                query.int32("seconds"),
                () -> Callers.stillGood(identity, call));
    }

    private Answer ofTask(Call call) {
        Values query = call.queryValues();
        EventCursor after = place(call, query.textOrNull("after"));
        if (after == null) {
            return noPlace(call, "after");
        }
        UUID account = Callers.account(call);
        UUID id = Callers.id(call, "id");
        if (id == null || work.get(account, PROFILE, id) == null) {
            return TaskAnswers.noSuchTask(call);
        }
        return answer(
                feed.ofItem(account, PROFILE.queue(), id, after, query.int32("limit")),
                "/v1/tasks/" + id + "/events",
                query);
    }

    private static EventQuery wanted(Call call, Values query) {
        String taskId = query.textOrNull("taskId");
        return new EventQuery(
                Callers.account(call),
                PROFILE.queue(),
                taskId == null ? null : UUID.fromString(taskId),
                filter(query.textOrNull("type"), query.textOrNull("event")));
    }

    private static @Nullable Predicate<FeedEvent> filter(
            @Nullable String type, @Nullable String event) {
        if (type == null && event == null) {
            return null;
        }
        return each ->
                (type == null || each.kind().equals(type))
                        && (event == null || TaskEvent.of(each.entry()).word().equals(event));
    }

    /// Null for what is no place in a log.
    private @Nullable EventCursor place(Call call, @Nullable String text) {
        if (text == null) {
            return EventCursor.START;
        }
        return text.equals(EventSpecs.NOW)
                ? feed.end(Callers.account(call))
                : EventCursor.read(text);
    }

    private static Answer noPlace(Call call, String field) {
        return TaskAnswers.error(
                call,
                TaskError.INVALID_REQUEST,
                field + " must be the id of an event, the nextCursor of an earlier answer, or now");
    }

    private static Answer answer(EventPage page, String path, Values query) {
        String next = page.next().text();
        AgentContract contract =
                AgentContract.of(
                        true,
                        NextAction.waitAndRepeat(
                                1, "GET", path + "?after=" + next + sameFilter(query)));
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("events", page.events(), EventSpecs::write)
                                        .text("nextCursor", next)
                                        .bool("hasMore", page.more())
                                        .object("agent_contract", contract::write)));
    }

    /// What the next page must be asked with to be the next of this one.
    private static String sameFilter(Values query) {
        return FILTERS.stream()
                .filter(query::has)
                .map(
                        name ->
                                "&"
                                        + name
                                        + "="
                                        + URLEncoder.encode(
                                                query.text(name), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }
}
