package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.Dependencies;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.verbs.WorkOwner.Completion;
import io.orchestrion.kernel.verbs.WorkSql.OutcomeRow;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.Transition;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Carries out commands on different items of one account: locks the items, decides, writes, tells.
public final class CommandRound {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final OwnerLocks locks;

    public CommandRound(WorkVerbs verbs, Tx tx, UUID account, OwnerLocks locks) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.locks = locks;
    }

    /// The answers in the order of the requests. One whose owner another session holds is left
    /// undone and has none.
    List<Optional<Ack>> run(List<CommandRequest> requests) throws SQLException {
        Map<UUID, WorkItem> locked = locks.lock(requests);
        List<CommandRequest> free =
                requests.stream().filter(request -> !locks.isBusy(request.id())).toList();
        Iterator<Ack> acks =
                free.isEmpty() ? Collections.emptyIterator() : carryOut(free, locked).iterator();
        return requests.stream()
                .map(
                        request ->
                                locks.isBusy(request.id())
                                        ? Optional.<Ack>empty()
                                        : Optional.of(acks.next()))
                .toList();
    }

    private List<Ack> carryOut(List<CommandRequest> requests, Map<UUID, WorkItem> locked)
            throws SQLException {
        Plan plan = verbs.planOf(tx, account);
        var claims = NamedClaims.of(tx, account, requests, locked);
        var decisions = new ArrayList<Decision>();
        Set<UUID> stillWait = Dependencies.waive(tx, account, requests, locked);
        for (CommandRequest request : requests) {
            WorkItem item = locked.get(request.id());
            decisions.add(
                    stillWait.contains(request.id()) && item != null
                            ? verbs.decideOn(tx, item, new Command.Release(true))
                            : decide(item, request, plan, tx.nowMillis()));
        }
        judge(requests, locked, plan, decisions);
        claims.hold(requests, decisions);
        write(requests, decisions);
        RepeatedReports.keep(tx, account, requests, decisions);
        return RepeatedReports.known(
                tx, account, requests, locked, Acks.of(tx, account, requests, decisions));
    }

    /// A completion that its owner rejects is a failure.
    private void judge(
            List<CommandRequest> requests,
            Map<UUID, WorkItem> locked,
            Plan plan,
            List<Decision> decisions)
            throws SQLException {
        var completions = new HashMap<Integer, Completion>();
        for (int i = 0; i < requests.size(); i++) {
            WorkItem item = locked.get(requests.get(i).id());
            if (item != null
                    && item.owner() != null
                    && decisions.get(i) instanceof Decision.Change
                    && requests.get(i).command() instanceof Command.Complete complete) {
                completions.put(i, new Completion(item, complete));
            }
        }
        if (completions.isEmpty()) {
            return;
        }
        Map<UUID, WorkError> rejected = verbs.judge(tx, account, List.copyOf(completions.values()));
        completions.forEach(
                (place, one) -> {
                    WorkError error = rejected.get(one.item().id());
                    if (error != null) {
                        decisions.set(
                                place,
                                verbs.deciderOf(one.item())
                                        .under(plan)
                                        .reject(one.item(), one.said(), error, tx.nowMillis()));
                    }
                });
    }

    private Decision decide(
            @Nullable WorkItem item, CommandRequest request, Plan plan, long nowMs) {
        if (item == null || !item.queue().equals(request.profile().queue())) {
            return new Decision.Refuse(new Refusal.NotFound());
        }
        boolean ownersAlone =
                switch (request.command()) {
                    case Command.Cancel _,
                            Command.AskPause _,
                            Command.Withdraw _,
                            Command.Reopen _,
                            Command.Retry _,
                            Command.Hold _,
                            Command.Release _ ->
                            !item.profile().equals(request.profile().name());
                    case Command.Lease _,
                            Command.Start _,
                            Command.Heartbeat _,
                            Command.Complete _,
                            Command.Fail _,
                            Command.TimeOut _,
                            Command.LetGo _,
                            Command.GiveUp _,
                            Command.Expire _ ->
                            false;
                };
        if (ownersAlone) {
            return new Decision.Refuse(new Refusal.Managed(item, verbs.leftToOwner(item)));
        }
        if (request.command() instanceof Command.Release
                && item.links().ifParentFails() != null
                && item.waitReason() == WaitReason.DEPENDENCY) {
            // Only the end of its parents ends this wait.
            return new Decision.Refuse(new Refusal.WrongState(item));
        }
        return verbs.deciderOf(item).under(plan).decide(item, request.command(), nowMs);
    }

    private void write(List<CommandRequest> requests, List<Decision> decisions)
            throws SQLException {
        var touched = new ArrayList<Transition>();
        var beaten = new ArrayList<WorkItem>();
        var outcomes = new HashMap<UUID, OutcomeRow>();
        int longest = 0;
        for (int i = 0; i < requests.size(); i++) {
            switch (decisions.get(i)) {
                case Decision.Change change -> {
                    longest = Math.max(longest, change.transitions().size());
                    if (requests.get(i).command() instanceof Command.Complete complete
                            && change.transitions().getLast().event() == WorkEvent.COMPLETE) {
                        keepOutcome(outcomes, requests.get(i).id(), complete);
                    }
                }
                case Decision.Touch(var after) -> {
                    touched.add(new Transition(WorkEvent.LEASE, after, after));
                    if (requests.get(i).command() instanceof Command.Heartbeat) {
                        beaten.add(after);
                    }
                }
                case Decision.Nothing _, Decision.Refuse _ -> {}
            }
        }
        if (!touched.isEmpty()) {
            ChangeSql.apply(tx, account, touched, Map.of());
            verbs.log().heartbeats(tx, account, beaten);
        }
        // The database checks each change by itself, so a second change of the same item is a
        // second write.
        for (int place = 0; place < longest; place++) {
            var transitions = new ArrayList<Transition>();
            for (Decision decision : decisions) {
                if (decision instanceof Decision.Change change
                        && change.transitions().size() > place) {
                    transitions.add(change.transitions().get(place));
                }
            }
            verbs.writeTransitions(tx, account, transitions, outcomes);
        }
        tellOwners(requests, decisions);
    }

    /// Owners are told in the order of the changes. A claim may first end a lapsed lease, and then
    /// start an attempt: of the one the owner is told as an end, of the other as a start.
    private void tellOwners(List<CommandRequest> requests, List<Decision> decisions)
            throws SQLException {
        var started = new ArrayList<WorkItem>();
        var ends = new ArrayList<WorkEnd>();
        for (int i = 0; i < requests.size(); i++) {
            if (decisions.get(i) instanceof Decision.Change(var transitions, _)) {
                for (Transition transition : transitions) {
                    WorkEnd end = WorkEnd.of(transition, requests.get(i).command());
                    if (end != null) {
                        ends.add(end);
                    } else if (transition.event() == WorkEvent.LEASE) {
                        started.add(transition.after());
                    }
                }
            }
        }
        verbs.ended(tx, account, ends);
        verbs.started(tx, account, started);
    }

    private static void keepOutcome(
            Map<UUID, OutcomeRow> outcomes, UUID id, Command.Complete complete) {
        if (complete.result() != null || complete.outputRef() != null) {
            outcomes.put(id, OutcomeRow.of(id, complete));
        }
    }

    /// Carries out one command on items that are locked already, together with their owners.
    public List<Ack> onLocked(Collection<WorkItem> locked, Command command) throws SQLException {
        var requests = new ArrayList<CommandRequest>();
        var decisions = new ArrayList<Decision>();
        Plan plan = verbs.planOf(tx, account);
        for (WorkItem item : locked) {
            Profile profile = Profiles.named(item.profile());
            requests.add(new CommandRequest(account, profile, item.id(), command, false));
            decisions.add(verbs.deciderOf(item).under(plan).decide(item, command, tx.nowMillis()));
        }
        write(requests, decisions);
        return Acks.of(tx, account, requests, decisions);
    }
}
