package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.server.egress.AddressGuard;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// Makes the calls, on every node: claims what is due for each receiver, each under a lease of the
/// kernel's, and calls from a virtual thread. A receiver that hangs holds its own few calls and no
/// other's: calls are bounded per receiver, per account and per node, and each ends in time.
final class Deliverer implements Sweeper, AutoCloseable {
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
    private final AddressGuard guard;
    private final Sender sender;
    private final Semaphore calls;
    private final Semaphore statements = new Semaphore(STATEMENTS);
    private final AtomicInteger busy = new AtomicInteger();
    private final Map<UUID, AtomicInteger> callsOf = new ConcurrentHashMap<>();
    private volatile boolean receivers = true;
    private volatile boolean closed;

    Deliverer(Kernel kernel, WebhookOptions options, AddressGuard guard, String version) {
        this.database = kernel.database();
        this.signals = kernel.signals();
        this.options = options;
        this.guard = guard;
        this.desk = new DeliveryDesk(kernel, options);
        this.sender = new Sender(guard, options.timeout());
        this.calls = new Semaphore(options.inFlight());
        this.agent = "Orchestrion-Webhooks/" + version;
    }

    @Override
    public String name() {
        return NAME;
    }

    /// As rarely as others where there is nobody to call.
    @Override
    public Duration pace(Duration interval) {
        return !receivers || interval.compareTo(PACE) < 0 ? interval : PACE;
    }

    @Override
    public int fullPass() {
        return LOOKED_AT;
    }

    /// Begins what is due and does not wait for it; says how many calls it began.
    @Override
    public int runOnce() {
        int begun = 0;
        // Those who have all the calls that they may have are passed over: what is due for them
        // would be all that is ever looked at.
        var full = new HashSet<UUID>();
        callsOf.keySet().stream().filter(this::isFull).forEach(full::add);
        boolean again = true;
        while (again && calls.availablePermits() > 0) {
            List<Ref> due =
                    store(
                            tx -> {
                                receivers = EndpointSql.anyActive(tx);
                                return receivers ? EndpointSql.due(tx, full, LOOKED_AT) : List.of();
                            });
            int before = full.size();
            for (Ref ref : due) {
                if (!full.contains(ref.accountId())) {
                    begun += begin(ref);
                    if (isFull(ref.accountId())) {
                        full.add(ref.accountId());
                    }
                }
            }
            again = due.size() == LOOKED_AT && full.size() > before;
        }
        return begun;
    }

    private boolean isFull(UUID account) {
        AtomicInteger mine = callsOf.get(account);
        return mine != null && mine.get() >= mostOfAnAccount();
    }

    private int mostOfAnAccount() {
        return Math.max(1, options.inFlight() / SHARE);
    }

    /// Claims as much for the receiver as there is room for, and calls.
    private int begin(Ref ref) {
        int room = closed ? 0 : take(ref.accountId(), options.perEndpoint());
        if (room == 0) {
            return 0;
        }
        int begun = 0;
        try {
            List<Charge> charges = store(tx -> desk.claim(tx, ref, room));
            database.failpoints().hit(NAME + ".claimed");
            for (Charge charge : charges) {
                busy.incrementAndGet();
                Thread.ofVirtual().name("webhook-", 0).start(() -> work(charge));
                begun++;
            }
            return begun;
        } finally {
            give(ref.accountId(), room - begun);
        }
    }

    /// How many of the wanted calls there is room for.
    private int take(UUID account, int wanted) {
        AtomicInteger mine = callsOf.computeIfAbsent(account, _ -> new AtomicInteger());
        int taken = 0;
        while (taken < wanted && mine.get() < mostOfAnAccount() && calls.tryAcquire()) {
            mine.incrementAndGet();
            taken++;
        }
        return taken;
    }

    private void give(UUID account, int count) {
        if (count > 0) {
            calls.release(count);
            callsOf.computeIfPresent(
                    account, (_, mine) -> mine.addAndGet(-count) <= 0 ? null : mine);
        }
    }

    private void work(Charge charge) {
        try {
            if (deliver(charge)) {
                again(new Ref(charge.account(), charge.receiver()));
            }
        } finally {
            busy.decrementAndGet();
        }
    }

    /// Whether what came of it is written.
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
        } finally {
            give(charge.account(), 1);
        }
    }

    /// What came of a call that was made at once.
    record Pinged(Outcome outcome, long millis) {}

    /// Null when as many calls as may be are under way.
    @Nullable Pinged ping(Receiver receiver) {
        if (closed || take(receiver.accountId(), 1) == 0) {
            return null;
        }
        try {
            Charge charge = store(tx -> desk.ping(tx, receiver));
            long begun = System.nanoTime();
            Outcome outcome = call(charge);
            return new Pinged(outcome, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        } finally {
            give(receiver.accountId(), 1);
        }
    }

    /// What waits for the same receiver need not wait for the next look.
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
        return busy.get();
    }

    /// Begins nothing more and waits for what is under way, which is not long; what is cut off is
    /// tried again when its lease is over.
    @Override
    public void close() {
        closed = true;
        try {
            if (calls.tryAcquire(
                    options.inFlight(),
                    options.timeout().toMillis() + 500,
                    TimeUnit.MILLISECONDS)) {
                calls.release(options.inFlight());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sender.close();
        guard.close();
    }
}
