package io.orchestrion.server.runs;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.read.RunReads.OfRun;
import io.orchestrion.runs.read.RunReads.Seen;
import io.orchestrion.runs.read.RunTree;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunQuery;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Shows runs and what is kept of them.
public final class RunReadHandlers {
    private final RunReads reads;

    public RunReadHandlers(RunReads reads) {
        this.reads = reads;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(RunReadEndpoints.LIST, this::list)
                .handle(RunReadEndpoints.GET, this::get)
                .handle(
                        RunReadEndpoints.ATTEMPTS,
                        call ->
                                numbered(
                                        call,
                                        RunReads::attempts,
                                        each -> each.number(),
                                        RecordJson::attempt))
                .handle(
                        RunReadEndpoints.TRANSITIONS,
                        call ->
                                numbered(
                                        call,
                                        RunReads::transitions,
                                        each -> each.number(),
                                        RecordJson::transition))
                .handle(
                        RunReadEndpoints.DECISIONS,
                        call ->
                                listed(
                                        call,
                                        RunReads::decisions,
                                        each -> each.id(),
                                        RecordJson::decision))
                .handle(RunReadEndpoints.EVENTS, this::events)
                .handle(RunReadEndpoints.PLANS, this::plans);
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        String status = query.textOrNull("status");
        return Pages.page(
                reads.list(
                        new RunQuery(
                                Callers.account(call),
                                cursor.place(),
                                status == null ? null : RunStatus.of(status),
                                query.boolOrNull("escalated"),
                                millis(query.instantOrNull("created_from")),
                                millis(query.instantOrNull("created_to")),
                                limit + 1)),
                limit,
                Run::id,
                RunJson::listed,
                RunGuidance.listed());
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : Long.valueOf(instant.toEpochMilli());
    }

    /// Null where the account has no such run.
    private <T> @Nullable Seen<T> seen(Call call, OfRun<T> what) {
        UUID id = RunPaths.run(call);
        return id == null ? null : reads.of(Callers.account(call), id, what);
    }

    private static Answer noRun(Call call) {
        return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
    }

    /// A run with the plan that it follows, and with its tree where that is asked for.
    private record Shown(@Nullable PlanVersion plan, @Nullable RunTree tree) {}

    private Answer get(Call call) {
        Values query = call.queryValues();
        String sent = query.textOrNull("cursor");
        RunTree.Place after = sent == null ? null : TreeCursor.read(sent);
        if (sent != null && after == null) {
            return RunAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        boolean expand = query.has("expand");
        Long attempt = query.integerOrNull("attempt_number");
        Seen<Shown> seen =
                seen(
                        call,
                        (tx, run) -> {
                            int of = attempt == null ? run.attempt() : Math.toIntExact(attempt);
                            return new Shown(
                                    RecordSql.plan(
                                            tx,
                                            run.account(),
                                            run.id(),
                                            run.attempt(),
                                            run.progress().planVersion()),
                                    expand
                                            ? RunReads.tree(of, after, limit + 1).read(tx, run)
                                            : null);
                        });
        if (seen == null) {
            return noRun(call);
        }
        Run run = seen.run();
        PlanVersion plan = seen.get().plan();
        RunTree tree = seen.get().tree();
        return Pages.json(
                200,
                out -> {
                    RunJson.whole(out, run, plan == null ? null : plan.document());
                    if (tree != null) {
                        List<RunTree.Node> nodes = Pages.first(tree.nodes(), limit);
                        out.objects(
                                        "tree",
                                        nodes,
                                        (each, node) ->
                                                TreeJson.node(
                                                        each,
                                                        run,
                                                        node,
                                                        tree.costs(),
                                                        seen.nowMs()))
                                .text(
                                        "tree_next_cursor",
                                        tree.nodes().size() > limit
                                                ? TreeCursor.of(nodes.getLast().place())
                                                : null);
                    }
                },
                RunGuidance.of(run, true));
    }

    /// A list of a run that is ordered by ids.
    private <T> Answer listed(
            Call call,
            BiFunction<@Nullable UUID, Integer, OfRun<List<T>>> what,
            Function<T, UUID> place,
            BiConsumer<JsonWriter, T> fields) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        int limit = call.queryValues().int32("limit");
        return page(call, seen(call, what.apply(cursor.place(), limit + 1)), limit, place, fields);
    }

    /// A list of a run that is ordered by numbers from 1 on.
    private <T> Answer numbered(
            Call call,
            BiFunction<Integer, Integer, OfRun<List<T>>> what,
            Function<T, Integer> number,
            BiConsumer<JsonWriter, T> fields) {
        Cursor cursor = Cursor.ofNumber(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        int limit = call.queryValues().int32("limit");
        Integer after = cursor.number();
        return page(
                call,
                seen(call, what.apply(after == null ? 0 : after, limit + 1)),
                limit,
                each -> Pages.numberPlace(number.apply(each)),
                fields);
    }

    private static <T> Answer page(
            Call call,
            @Nullable Seen<List<T>> seen,
            int limit,
            Function<T, UUID> place,
            BiConsumer<JsonWriter, T> fields) {
        return seen == null
                ? noRun(call)
                : Pages.page(seen.get(), limit, place, fields, RunGuidance.of(seen.run(), true));
    }

    private Answer events(Call call) {
        Cursor cursor = Cursor.ofNumber(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        UUID id = RunPaths.run(call);
        UUID account = Callers.account(call);
        Run run = id == null ? null : reads.find(account, id);
        if (run == null) {
            return noRun(call);
        }
        int limit = call.queryValues().int32("limit");
        Integer after = cursor.number();
        return Pages.page(
                reads.events(account, run.id(), after == null ? 0 : after, limit + 1),
                limit,
                line -> Pages.numberPlace(line.seq()),
                RecordJson::event,
                RunGuidance.of(run, true));
    }

    /// The place of a plan is its attempt and its version.
    private Answer plans(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        UUID place = cursor.place();
        int limit = call.queryValues().int32("limit");
        return page(
                call,
                seen(
                        call,
                        RunReads.plans(
                                place == null ? 0 : (int) place.getMostSignificantBits(),
                                place == null ? 0 : (int) place.getLeastSignificantBits(),
                                limit + 1)),
                limit,
                plan -> new UUID(plan.attempt(), plan.version()),
                RecordJson::plan);
    }
}
