package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.pool.Crew;
import io.orchestrion.kernel.pool.Pool;
import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.egress.ReceiverUrl;
import io.orchestrion.server.webhooks.DeliveryDesk.Charge;
import io.orchestrion.server.webhooks.DeliveryDesk.Result;
import io.orchestrion.server.webhooks.EndpointSql.Ref;
import io.orchestrion.server.webhooks.Sender.Outcome;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Makes the calls, on every node: claims what is due for each receiver, each under a lease of the
/// kernel's, and calls in a place of its crew. A receiver that hangs holds its own few calls and no
/// other's: calls are bounded per receiver, per account and per node, and each ends in time.
public final class Deliverer implements Sweeper, AutoCloseable {
    static final String NAME = "webhook-deliverer";
    private static final Logger log = LoggerFactory.getLogger(Deliverer.class);
    private static final Duration PACE = Duration.ofMillis(200);
    private static final int LOOKED_AT = 200;

    /// No account has more than this share of a node's calls, whatever its receivers do.
    private static final int SHARE = 4;

    /// Of the pooled connections, which requests need, too.
    private static final int STATEMENTS = 2;

    private final Database database;
    private final DeliveryDesk desk;
    private final WebhookOptions options;
    private final Signals signals;
    private final String agent;
    private final Sender sender;
    private final Pool pool;
    private final Crew crew;
    private final Kernel kernel;
    private final Semaphore statements = new Semaphore(STATEMENTS);
    private volatile boolean receivers = true;

    Deliverer(Kernel kernel, WebhookOptions options, Egress egress, String version) {
        this.database = kernel.database();
        this.signals = kernel.signals();
        this.options = options;
        this.desk = new DeliveryDesk(kernel, options);
        this.sender = new Sender(egress, options.timeout());
        this.kernel = kernel;
        this.pool = kernel.pool();
        this.crew = pool.crew(NAME, options.inFlight(), Math.max(1, options.inFlight() / SHARE));
        this.agent = "Orchestrion-Webhooks/" + version;
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Where there is nobody to call, it looks as rarely as other duties.
    @Override
    public Duration pace(Duration interval) {
        return !receivers || interval.compareTo(PACE) < 0 ? interval : PACE;
    }

    @Override
    public int fullPass() {
        return LOOKED_AT;
    }

    @Override
    public void wakeBy(Runnable ring) {
        kernel.onReady(Profiles.DELIVERIES.queue(), ring);
    }

    /// Begins what is due and does not wait for it; says how many calls it began.
    @Override
    public int runOnce() {
        int begun = 0;
        // Receivers with as many calls as they may have are left out; otherwise their due
        // deliveries would be all that is ever looked at.
        Set<UUID> full = crew.full();
        boolean again = true;
        while (again && crew.room() > 0) {
            Set<UUID> without = full;
            List<Ref> due =
                    store(
                            tx -> {
                                receivers = EndpointSql.anyActive(tx);
                                return receivers
                                        ? EndpointSql.due(tx, without, LOOKED_AT)
                                        : List.of();
                            });
            for (Ref ref : due) {
                begun += begin(ref);
            }
            full = crew.full();
            again = due.size() == LOOKED_AT && !without.containsAll(full);
        }
        return begun;
    }

    /// Claims as much for the receiver as there is room for, and calls.
    private int begin(Ref ref) {
        int room = crew.take(ref.accountId(), options.perEndpoint());
        if (room == 0) {
            return 0;
        }
        int begun = 0;
        try {
            List<Charge> charges = store(tx -> desk.claim(tx, ref, room));
            database.failpoints().hit(NAME + ".claimed");
            for (Charge charge : charges) {
                crew.start(ref.accountId(), "webhook-" + charge.delivery(), new Calling(charge));
                begun++;
            }
            return begun;
        } finally {
            crew.give(ref.accountId(), room - begun);
        }
    }

    /// One delivery in a place. When it ends, the next delivery for the same receiver begins at
    /// once.
    private final class Calling implements Crew.Work {
        private final Charge charge;
        private boolean settled;

        Calling(Charge charge) {
            this.charge = charge;
        }

        @Override
        public void run() {
            settled = deliver(charge);
        }

        @Override
        public void then() {
            if (settled) {
                again(new Ref(charge.account(), charge.receiver()));
            }
        }
    }

    /// Whether the outcome was written.
    private boolean deliver(Charge charge) {
        try {
            long begun = System.nanoTime();
            Outcome outcome = call(charge);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            database.failpoints().hit(NAME + ".answered");
            Result result = store(tx -> desk.settle(tx, charge, outcome, millis));
            tell(charge, outcome, result, millis);
            return true;
        } catch (RuntimeException e) {
            // Nothing is lost: the lease ends, and then it is tried again.
            if (!StoreException.ofWholeStore(e)) {
                log.warn("delivery {} could not be settled", charge.delivery(), e);
            }
            return false;
        }
    }

    /// What came of a call that was made at once.
    public record Pinged(Outcome outcome, long millis) {}

    /// Null when as many calls as may be are under way.
    @Nullable Pinged ping(Receiver receiver) {
        if (crew.take(receiver.accountId(), 1) == 0) {
            return null;
        }
        try {
            Charge charge = store(tx -> desk.ping(tx, receiver));
            long begun = System.nanoTime();
            Outcome outcome = call(charge);
            return new Pinged(outcome, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        } finally {
            crew.give(receiver.accountId(), 1);
        }
    }

    private void again(Ref ref) {
        try {
            begin(ref);
        } catch (RuntimeException e) {
            log.debug("left to the next look: receiver {}", ref.id(), e);
        }
    }

    private Outcome call(Charge charge) {
        ReceiverUrl.Read read = ReceiverUrl.read(charge.url());
        if (read.url() == null) {
            return new Outcome.Unanswered("address_refused", "The URL " + read.fault() + ".");
        }
        if (charge.unreadableSecret()) {
            return new Outcome.Unanswered(
                    "secret_unreadable",
                    "The webhook's secret cannot be read with the key this server has.");
        }
        byte[] body = charge.body().getBytes(StandardCharsets.UTF_8);
        return sender.send(charge.account(), read.url(), headers(charge, body), body);
    }

    private Map<String, String> headers(Charge charge, byte[] body) {
        String id = charge.eventId().toString();
        long seconds = TimeUnit.MILLISECONDS.toSeconds(charge.nowMs());
        var headers = new LinkedHashMap<String, String>();
        headers.put("User-Agent", agent);
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(seconds));
        if (!charge.secrets().isEmpty()) {
            headers.put(
                    "webhook-signature",
                    charge.secrets().stream()
                            .map(each -> each.secret().sign(id, seconds, body))
                            .collect(Collectors.joining(" ")));
            headers.put(
                    "webhook-signature-keys",
                    charge.secrets().stream()
                            .map(each -> each.id().toString())
                            .collect(Collectors.joining(" ")));
        }
        headers.put("webhook-attempt", Integer.toString(charge.attempt()));
        if (charge.trace() != null) {
            headers.put("traceparent", charge.trace());
        }
        return headers;
    }

    private void tell(Charge charge, Outcome outcome, Result result, long millis) {
        Integer status = outcome instanceof Outcome.Answered answered ? answered.status() : null;
        signals.delivery(
                new DeliverySeen(
                        charge.account(),
                        charge.receiver(),
                        charge.delivery(),
                        charge.subject(),
                        charge.eventName(),
                        charge.attempt(),
                        result.outcome(),
                        status,
                        charge.nowMs(),
                        millis,
                        result.failure(),
                        charge.trace()));
    }

    private <T extends @Nullable Object> T store(Session.Body<T> body) {
        try {
            statements.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
        try {
            return database.transaction(body);
        } finally {
            statements.release();
        }
    }

    /// How many calls are under way, or ended and are looking for the next.
    int underWay() {
        return crew.busy();
    }

    /// Begins nothing more and waits for what is under way, which is not long; what is cut off is
    /// tried again when its lease is over.
    @Override
    public void close() {
        crew.stop(options.timeout().plusMillis(500), Duration.ZERO);
        pool.forget(crew);
    }
}
