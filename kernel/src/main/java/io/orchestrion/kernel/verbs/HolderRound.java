package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.verbs.PolicySql.Beat;
import io.orchestrion.kernel.verbs.WorkSql.Fenced;
import io.orchestrion.kernel.verbs.WorkSql.OutcomeRow;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// The holders' commands on different items of one account. One guarded statement carries out all
/// heartbeats and completions whose lease is current, which are by far the most. It passes over
/// rows that another session has locked. Requests that it did not match are left undone.
final class HolderRound {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final List<CommandRequest> requests;
    private final Set<UUID> left;
    private final Map<UUID, Ack> acks = new HashMap<>();

    /// @param left items whose requests are left undone. A later request for one of them is left
    ///     undone, too, so that it does not overtake the earlier one. The items of this round are
    ///     added
    HolderRound(
            WorkVerbs verbs, Tx tx, UUID account, List<CommandRequest> requests, Set<UUID> left) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.requests = requests;
        this.left = left;
    }

    /// Whether there is a statement for the request. There is none for completions of items that
    /// keep a log, because the log is written with them.
    static boolean serves(CommandRequest request) {
        return !request.documents()
                && (request.command() instanceof Command.Heartbeat
                        || (request.command() instanceof Command.Complete
                                && !request.profile().keeping().log()));
    }

    /// The answers, none for those that are left undone.
    List<Optional<Ack>> run() throws SQLException {
        var beats = new HashMap<Profile, List<Fenced>>();
        var ends = new HashMap<Profile, List<End>>();
        var logged = new HashMap<Profile, List<Beat>>();
        for (CommandRequest request : requests) {
            if (left.contains(request.id()) || !serves(request)) {
                continue;
            }
            Profile profile = request.profile();
            if (profile.keeping().log()) {
                // Holders of these items prove themselves by name, and a line of the log is written
                // with the change.
                if (request.command() instanceof Command.Heartbeat beat) {
                    logged.computeIfAbsent(profile, _ -> new ArrayList<>())
                            .add(new Beat(request.id(), beat));
                }
            } else if (request.command() instanceof Command.Heartbeat beat) {
                beats.computeIfAbsent(profile, _ -> new ArrayList<>())
                        .add(new Fenced(request.id(), beat.fence(), null, null, null));
            } else if (request.command() instanceof Command.Complete complete) {
                ends.computeIfAbsent(profile, _ -> new ArrayList<>())
                        .add(new End(request.id(), complete));
            }
        }
        for (var entry : beats.entrySet()) {
            String queue = entry.getKey().queue();
            List<WorkItem> renewed = WorkSql.heartbeat(tx, account, queue, entry.getValue());
            renewed.forEach(this::applied);
            verbs.signals().beaten(tx, queue, renewed.size());
        }
        for (var entry : logged.entrySet()) {
            List<WorkItem> renewed =
                    PolicySql.heartbeat(tx, account, entry.getKey().queue(), entry.getValue());
            renewed.forEach(this::applied);
            verbs.log().heartbeats(tx, account, renewed);
            verbs.signals().beaten(tx, entry.getKey().queue(), renewed.size());
        }
        for (var entry : ends.entrySet()) {
            complete(entry.getKey(), entry.getValue());
        }
        requests.stream()
                .map(CommandRequest::id)
                .filter(id -> !acks.containsKey(id))
                .forEach(left::add);
        return requests.stream()
                .map(request -> Optional.ofNullable(acks.get(request.id())))
                .toList();
    }

    private record End(UUID id, Command.Complete complete) {
        Fenced fenced(@Nullable Long purgeAfterMs) {
            return new Fenced(
                    id,
                    complete.fence(),
                    purgeAfterMs,
                    complete.settles(),
                    OutcomeRow.of(id, complete));
        }
    }

    private void complete(Profile profile, List<End> ends) throws SQLException {
        Long purgeAfter = verbs.purgeAfterMs(tx, account, profile);
        List<WorkItem> completed =
                WorkSql.complete(
                        tx,
                        account,
                        profile,
                        ends.stream().map(end -> end.fenced(purgeAfter)).toList());
        var events = new ArrayList<EventRow>();
        for (WorkItem item : completed) {
            applied(item);
            events.add(EventRow.of(item, WorkEvent.COMPLETE, WorkState.RUNNING));
            verbs.wakeForSlot(tx, item);
        }
        verbs.tell(tx, account, events);
        verbs.parentEnds().note(tx, account, completed);
    }

    private void applied(WorkItem item) {
        acks.put(item.id(), new Ack.Applied(item, null, tx.nowMillis()));
    }
}
