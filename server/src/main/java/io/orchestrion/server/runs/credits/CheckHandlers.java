package io.orchestrion.server.runs.credits;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.check.Anomalies;
import io.orchestrion.runs.check.Anomalies.AttemptPlace;
import io.orchestrion.runs.check.Anomaly;
import io.orchestrion.runs.check.RunsInvariants;
import io.orchestrion.runs.check.RunsInvariants.Place;
import io.orchestrion.runs.check.Violation;
import io.orchestrion.runs.credit.Credits;
import io.orchestrion.runs.credit.Entry;
import io.orchestrion.runs.credit.EntryKind;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.runs.RunAction;
import io.orchestrion.server.runs.RunActions;
import io.orchestrion.server.runs.RunAnswers;
import io.orchestrion.server.runs.credits.CreditJson.Broken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;

/// What the server's operator looks at when something may be wrong.
public final class CheckHandlers {
    /// How long one call goes on looking before it answers with where to go on.
    private static final Duration LOOKS_FOR = Duration.ofSeconds(3);

    /// How many violations one call gathers before it answers.
    private static final int VIOLATIONS_MAX = 1_000;

    /// How many charges of one attempt are shown.
    private static final int CHARGES_MAX = 100;

    private final Database database;
    private final Credits credits;

    public CheckHandlers(Database database, Credits credits) {
        this.database = database;
        this.credits = credits;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(CreditEndpoints.LIST_ANOMALIES, this::anomalies)
                .handle(CreditEndpoints.CHECK_INVARIANTS, this::invariants);
    }

    private record Seen(Anomaly odd, List<Entry> charges) {}

    private Answer anomalies(Call call) {
        Values query = call.queryValues();
        String sent = query.textOrNull("cursor");
        AttemptPlace from = sent == null ? AttemptPlace.START : WalkCursor.attempt(sent);
        if (from == null) {
            return RunAnswers.badCursor(call);
        }
        Anomalies.Page page = Anomalies.page(database, from);
        List<Seen> seen =
                page.anomalies().stream().map(odd -> new Seen(odd, charges(odd))).toList();
        AttemptPlace next = page.next();
        return Pages.json(
                200,
                out ->
                        out.objects(
                                        "items",
                                        seen,
                                        (each, one) ->
                                                CreditJson.write(each, one.odd(), one.charges()))
                                .text("next_cursor", next == null ? null : WalkCursor.of(next)),
                seen.isEmpty()
                        ? AgentContract.of(true, RunActions.listRuns().best())
                        : AgentContract.of(true, reverse().best(), RunActions.listRuns()));
    }

    private static NextAction reverse() {
        return NextAction.call(
                RunAction.REVERSE_CHARGE,
                "POST",
                CreditEndpoints.REVERSALS,
                "ledger_entry_id",
                "reason");
    }

    private List<Entry> charges(Anomaly odd) {
        return credits.entries(odd.account(), odd.run(), 0, CHARGES_MAX).stream()
                .filter(entry -> entry.kind() == EntryKind.CHARGE)
                .filter(
                        entry ->
                                entry.attempt() != null
                                        && entry.attempt().attempt() == odd.attempt())
                .toList();
    }

    private Answer invariants(Call call) {
        String sent = call.queryValues().textOrNull("cursor");
        Place place = sent == null ? Place.START : WalkCursor.place(sent);
        if (place == null) {
            return RunAnswers.badCursor(call);
        }
        long until = System.nanoTime() + LOOKS_FOR.toNanos();
        var found = new ArrayList<Violation>();
        do {
            RunsInvariants.Page page = RunsInvariants.page(database, place);
            found.addAll(page.violations());
            place = page.next();
        } while (place != null && found.size() < VIOLATIONS_MAX && System.nanoTime() - until < 0);
        String next = place == null ? null : WalkCursor.of(place);
        return Pages.json(
                200,
                out ->
                        out.objects("violations", grouped(found), CreditJson::write)
                                .bool("complete", next == null)
                                .text("next_cursor", next),
                AgentContract.of(true, RunActions.listRuns().best()));
    }

    /// One line for each rule of an account, with the ids of all rows that break it.
    private static List<Broken> grouped(List<Violation> found) {
        record Rule(int invariant, String rule, Violation.Of of, @Nullable UUID account) {}
        var ids = new LinkedHashMap<Rule, List<UUID>>();
        for (Violation each : found) {
            var rule = new Rule(each.invariant(), each.rule(), each.of(), each.account());
            List<UUID> all = ids.computeIfAbsent(rule, _ -> new ArrayList<>());
            if (each.id() != null) {
                all.add(each.id());
            }
        }
        return ids.entrySet().stream()
                .map(
                        each ->
                                new Broken(
                                        each.getKey().invariant(),
                                        each.getKey().rule(),
                                        each.getKey().of(),
                                        each.getKey().account(),
                                        each.getValue()))
                .toList();
    }
}
