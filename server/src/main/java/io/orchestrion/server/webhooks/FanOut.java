package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.events.LogReaders;
import io.orchestrion.kernel.events.LogReaders.Log;
import io.orchestrion.kernel.sequence.Sequencer;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.door.DoorEvents.Told;
import io.orchestrion.server.egress.ReceiverUrl;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/// Makes deliveries of events, on every node. The log itself is what was written with each state
/// change; how far it has been passed on moves in the transaction that writes the deliveries. So
/// each event becomes one delivery for each receiver, whatever is killed when, and a state change
/// costs the same whether or not somebody listens.
final class FanOut implements Sweeper {
    static final String NAME = "webhook-fan-out";

    /// Often enough that nobody notices; a look costs one statement when there is nothing.
    private static final Duration PACE = Duration.ofMillis(200);

    private static final int LOGS = 200;
    private static final int BATCH = 500;
    private static final int ROUNDS = 20;
    private static final String BACKLOG = "not delivered: as much waited for this receiver as may";

    private final Database database;
    private final WorkVerbs verbs;
    private final Sequencer sequencer;
    private final Ids ids;
    private final Map<String, DoorEvents> doors;
    private final WebhookOptions options;
    private volatile boolean followed = true;

    FanOut(Kernel kernel, Map<String, DoorEvents> doors, WebhookOptions options) {
        this.database = kernel.database();
        this.verbs = kernel.verbs();
        this.sequencer = kernel.sequencer();
        this.ids = kernel.ids();
        this.doors = doors;
        this.options = options;
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Where no receiver listens, it looks as rarely as other duties.
    @Override
    public Duration pace(Duration interval) {
        return !followed || interval.compareTo(PACE) < 0 ? interval : PACE;
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<Log> logs =
                database.transaction(
                        tx -> {
                            followed = LogReaders.any(tx);
                            return followed ? LogReaders.toRead(tx, LOGS) : List.of();
                        });
        return Sweeps.each(NAME, logs, this::read);
    }

    private int read(Log log) {
        int all = 0;
        for (int round = 0; round < ROUNDS; round++) {
            sequencer.place(log.accountId());
            Passed passed =
                    database.transaction(
                            tx -> {
                                Passed some = pass(tx, log);
                                database.failpoints().hit(NAME + ".before-commit");
                                return some;
                            });
            database.failpoints().hit(NAME + ".after-commit");
            all += passed.events();
            if (!passed.more()) {
                break;
            }
        }
        return all;
    }

    /// @param more whether there may be more to pass on
    private record Passed(int events, boolean more) {
        static final Passed NONE = new Passed(0, false);
    }

    private Passed pass(Tx tx, Log log) throws SQLException {
        // As many deliveries as can be written within the time of a statement, whatever the number
        // of receivers.
        int receivers = EndpointSql.listening(tx, log.accountId()).size();
        int most = Math.max(1, BATCH / Math.max(1, receivers));
        DoorEvents door = doors.get(log.queue());
        List<LogEvent> events = LogReaders.take(tx, log, door != null && door.ofSubjects(), most);
        if (events == null || door == null) {
            return Passed.NONE;
        }
        var passed = new Passed(events.size(), events.size() == most);
        // Read anew, now that the log is locked: nobody can have come meanwhile without being here.
        List<Receiver> listening = EndpointSql.listening(tx, log.accountId());
        boolean wanted =
                listening.stream()
                        .anyMatch(each -> each.events().stream().anyMatch(door.names()::contains));
        if (!wanted && !door.callsBack()) {
            LogReaders.end(tx, log);
            return passed;
        }
        var targets = new ArrayList<Target>();
        for (Told told : door.told(tx, log.accountId(), events)) {
            for (Receiver receiver : listening) {
                if (receiver.fromPosition() < told.event().position()
                        && hears(door, receiver, told.name())) {
                    targets.add(new Target(receiver.id(), told, null));
                }
            }
            Target callback = callback(tx, log.accountId(), told);
            if (callback != null) {
                targets.add(callback);
            }
        }
        make(tx, log.accountId(), log.queue(), targets);
        return passed;
    }

    /// @param url where it differs from the receiver's own
    private record Target(UUID receiver, Told told, @Nullable String url) {}

    private static boolean hears(DoorEvents door, Receiver receiver, String name) {
        return receiver.events().stream().anyMatch(asked -> door.meant(asked).contains(name));
    }

    /// A callback that is no address got past a rule that came later. It is a receiver like any
    /// other: what is refused of it is in the list of its job's deliveries.
    private @Nullable Target callback(Tx tx, UUID account, Told told) throws SQLException {
        if (told.callback() == null) {
            return null;
        }
        ReceiverUrl url = ReceiverUrl.read(told.callback()).url();
        String server = url == null ? told.callback() : url.origin();
        byte[] once = OnceKey.of(server, List.of());
        UUID known = EndpointSql.callbackOf(tx, account, once);
        if (known == null) {
            var made =
                    new EndpointSql.New(
                            ids.next(tx.nowMillis()), true, server, List.of(), once, "", 0);
            EndpointSql.insert(tx, account, made);
            known = EndpointSql.callbackOf(tx, account, once);
        }
        return known == null ? null : new Target(known, told, told.callback());
    }

    private void make(Tx tx, UUID account, String queue, List<Target> targets) throws SQLException {
        // Sorted, so that all transactions lock receivers in the same order.
        var byReceiver = new TreeMap<UUID, List<Target>>();
        targets.forEach(
                target ->
                        byReceiver
                                .computeIfAbsent(target.receiver(), _ -> new ArrayList<>())
                                .add(target));
        var items = new ArrayList<Submission>();
        var rows = new ArrayList<DeliverySql.New>();
        Set<UUID> over = new HashSet<>();
        for (var each : byReceiver.entrySet()) {
            List<Target> mine = each.getValue();
            Long last = EndpointSql.moreToDeliver(tx, account, each.getKey(), mine.size());
            if (last == null) {
                // Deleted since it was read.
                continue;
            }
            int most = options.pendingMax();
            long waiting = DeliverySql.openCount(tx, account, each.getKey(), most);
            long place = last - mine.size();
            for (Target target : mine) {
                place++;
                UUID id = ids.next(tx.nowMillis());
                items.add(item(account, target.receiver(), target.told().body()).as(id));
                rows.add(
                        new DeliverySql.New(
                                id,
                                target.receiver(),
                                place,
                                queue,
                                target.told().event().subjectId(),
                                target.told().event().seq(),
                                target.told().id(),
                                target.told().name(),
                                target.url(),
                                null));
                waiting++;
                if (waiting > most) {
                    over.add(id);
                }
            }
        }
        if (!rows.isEmpty()) {
            verbs.submit(tx, account, items);
            DeliverySql.insert(tx, account, rows);
        }
        if (!over.isEmpty()) {
            verbs.execute(
                    tx,
                    account,
                    over.stream()
                            .sorted()
                            .map(
                                    id ->
                                            new CommandRequest(
                                                    account,
                                                    Profiles.DELIVERIES,
                                                    id,
                                                    new Command.Withdraw(BACKLOG),
                                                    false))
                            .toList());
        }
    }

    private Submission item(UUID account, UUID receiver, String body) {
        return item(account, receiver, body, options);
    }

    /// An item of work for one delivery; its kind is its receiver.
    static Submission item(UUID account, UUID receiver, String body, WebhookOptions options) {
        return Submission.of(
                NewWork.of(account, Profiles.DELIVERIES, receiver.toString(), body)
                        .tryingAtMost(options.attempts()));
    }
}
