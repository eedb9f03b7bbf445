package io.orchestrion.server.events;

import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;

import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventFeed;
import io.orchestrion.kernel.events.EventPage;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.events.Subjects;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.tasks.TaskAnswers;
import io.orchestrion.server.tasks.TaskSpecs;

import org.jspecify.annotations.Nullable;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The events of the account's tasks: as pages, as pages that are waited for, as a stream, and of
/// one task.
public final class EventHandlers {
    /// The filters of a page, beside the place where it begins.
    private static final List<String> FILTERS = List.of("include", "type", "taskId", "event");

    private final EventFeed feed;
    private final Work work;
    private final Identity identity;
    private final List<String> subjectLogs;

    public EventHandlers(EventFeed feed, Work work, Identity identity, Subjects subjects) {
        this.feed = feed;
        this.work = work;
        this.identity = identity;
        this.subjectLogs = subjects.logs();
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
        // Read before the stream begins, because a store that is away can only be reported while
        // there is a status to send.
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
        WorkView view = id == null ? null : work.get(account, PROFILE, id);
        if (id == null || view == null) {
            return TaskAnswers.noSuchTask(call);
        }
        String log = Profiles.named(view.item().profile()).log();
        return answer(
                feed.ofItem(account, log, id, after, query.int32("limit")),
                "/v1/tasks/" + id + "/events",
                query);
    }

    private EventQuery wanted(Call call, Values query) {
        String taskId = query.textOrNull("taskId");
        return new EventQuery(
                Callers.account(call),
                logs(include(query)),
                taskId == null ? null : UUID.fromString(taskId),
                filter(query.textOrNull("type"), query.textOrNull("event")));
    }

    /// Those of the tasks, and those that were asked for beside them.
    private List<String> logs(List<String> include) {
        var logs = new ArrayList<>(List.of(PROFILE.log()));
        if (include.contains(TaskSpecs.OWNED)) {
            logs.add(TaskDoorSpecs.STEPS.log());
        }
        if (include.contains(EventSpecs.SUBJECTS)) {
            logs.addAll(subjectLogs);
        }
        return logs;
    }

    private static @Nullable Predicate<LogEvent> filter(
            @Nullable String type, @Nullable String event) {
        if (type == null && event == null) {
            return null;
        }
        return each ->
                switch (each) {
                    case FeedEvent item ->
                            (type == null || item.kind().equals(type))
                                    && (event == null || EventSpecs.name(item).equals(event));
                    case SubjectLine line ->
                            (type == null || line.event().kind().equals(type))
                                    && (event == null || line.event().event().equals(event));
                };
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
        return TaskErrorAnswers.error(
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
        List<FeedEvent> items =
                page.events().stream()
                        .filter(FeedEvent.class::isInstance)
                        .map(FeedEvent.class::cast)
                        .toList();
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            out.objects("events", items, EventSpecs::write);
                            if (include(query).contains(EventSpecs.SUBJECTS)) {
                                writeSubjects(out, page.events());
                            }
                            out.text("nextCursor", next)
                                    .bool("hasMore", page.more())
                                    .object("agent_contract", contract::write);
                        }));
    }

    /// In a list of their own, so that a reader of the other finds there what it always did; each
    /// with its place among all.
    private static void writeSubjects(JsonWriter out, List<LogEvent> all) {
        List<Integer> places =
                IntStream.range(0, all.size())
                        .filter(place -> all.get(place) instanceof SubjectLine)
                        .boxed()
                        .toList();
        out.objects(
                "subjectEvents",
                places,
                (each, place) -> {
                    each.integer("place", place);
                    EventSpecs.write(each, all.get(place));
                });
    }

    private static List<String> include(Values query) {
        String include = query.textOrNull("include");
        return include == null ? List.of() : List.of(include.split(","));
    }

    /// The filters that a request for the next page must repeat.
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
