package io.orchestrion.runs.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.credit.Balance;
import io.orchestrion.runs.credit.Charge;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.credit.Reservation;
import io.orchestrion.runs.credit.Reversal;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.engine.Created;
import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.model.Nodes.Node;
import io.orchestrion.testkit.Parallel;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;

/// Two at a time want the same credits, on two nodes: a reservation, a charge, a settlement, a
/// reversal, or the start and the end of a run. After each round the account has exactly what the
/// answers say.
final class CreditRaces implements AutoCloseable {
    private static final int THREADS = 8;

    /// Of a round: runs, each with a race for its start and one for its end.
    private static final int RUNS = 6;

    private static final int BARE = 28;

    /// After so many rounds all rows are looked at, and after each of the first.
    private static final int LOOKED_AT = 25;

    private static final BigDecimal TEN = new BigDecimal("10.000000");
    private static final BigDecimal SIX = new BigDecimal("6.000000");
    private static final BigDecimal FOUR = new BigDecimal("4.000000");

    private final Nodes nodes = new Nodes();
    private final UUID account = Doing.patiently(nodes.test()::account);
    private final UUID poor = Doing.patiently(nodes.test()::account);
    private final Random random;
    private BigDecimal balance = BigDecimal.ZERO;
    private BigDecimal reserved = BigDecimal.ZERO;
    private int raced;

    CreditRaces(long seed) {
        random = new Random(seed);
    }

    @Override
    public void close() {
        nodes.close();
    }

    /// Two calls that meet, and what their answers do to the account.
    private record Race(Callable<Object> one, Callable<Object> other, Judge judge) {}

    private interface Judge {
        void of(Object one, Object other);
    }

    private interface Verb {
        Object in(Tx tx, Ledger ledger) throws SQLException;
    }

    private Callable<Object> on(boolean second, Verb verb) {
        Node node = nodes.node(second);
        return () ->
                Doing.patiently(() -> node.runs().inOne(tx -> verb.in(tx, node.runs().ledger())));
    }

    void play(int races) {
        Node first = nodes.node(false);
        first.runs()
                .inOne(
                        tx ->
                                first.runs()
                                        .ledger()
                                        .grant(
                                                tx,
                                                account,
                                                new BigDecimal(100_000_000),
                                                "all",
                                                null));
        balance = balance().balance();
        for (int round = 0; raced < races; round++) {
            round();
            assertThat(balance().balance())
                    .as("after %d races", raced)
                    .isEqualByComparingTo(balance);
            assertThat(balance().reserved())
                    .as("after %d races", raced)
                    .isEqualByComparingTo(reserved);
            if (round < LOOKED_AT || round % LOOKED_AT == 0 || raced >= races) {
                assertThat(new Aftermath(nodes).broken()).isEmpty();
            }
        }
    }

    private Balance balance() {
        Node node = nodes.node(false);
        return Doing.patiently(
                () -> node.runs().inOne(tx -> node.runs().ledger().balance(tx, account)));
    }

    private void round() {
        nodes.advance(1 + random.nextInt(500));
        nodes.beat();
        List<UUID> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(created());
        }
        var races = new ArrayList<Race>();
        runs.forEach(run -> races.add(starts(run)));
        for (int i = 0; i < BARE; i++) {
            races.add(bare(i));
        }
        race(races);
        nodes.advance(1);
        nodes.drive(nodes.all());
        Map<UUID, WorkItem> held = new HashMap<>();
        Doing.claimAll(nodes.node(random.nextBoolean()), account, "a")
                .forEach(each -> held.put(each.owner().id(), each));
        assertThat(held).hasSize(RUNS);
        race(runs.stream().map(run -> ends(run, held.get(run))).toList());
    }

    private void race(List<Race> races) {
        var calls = new ArrayList<Callable<Object>>();
        var answers = Collections.synchronizedMap(new HashMap<Integer, Object>());
        for (int i = 0; i < races.size(); i++) {
            int place = i;
            calls.add(() -> answers.put(2 * place, races.get(place).one().call()));
            calls.add(() -> answers.put(2 * place + 1, races.get(place).other().call()));
        }
        // The two of a race are neighbours, and so on two threads.
        Parallel.run(
                THREADS,
                thread ->
                        () -> {
                            for (int i = thread; i < calls.size(); i += THREADS) {
                                calls.get(i).call();
                            }
                            return true;
                        });
        for (int i = 0; i < races.size(); i++) {
            races.get(i).judge().of(answers.get(2 * i), answers.get(2 * i + 1));
        }
        raced += races.size();
    }

    // Bare entries.

    private Race bare(int kind) {
        UUID run = UUID.randomUUID();
        return switch (kind % 7) {
            case 0 -> reserves(run);
            case 1, 2 -> charges(reserved(run), "key", "key");
            case 3 -> charges(reserved(run), "key", "another");
            case 4, 5 -> settlements(reserved(run));
            default -> kind == 6 ? scarce() : reversals(reserved(run));
        };
    }

    private UUID reserved(UUID run) {
        Object said = call(on(false, (tx, ledger) -> ledger.reserve(tx, account, run, 1, TEN)));
        assertThat(said).isInstanceOf(Reservation.Reserved.class);
        reserved = reserved.add(TEN);
        return run;
    }

    private static Object call(Callable<Object> what) {
        try {
            return what.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Race reserves(UUID run) {
        Verb verb = (tx, ledger) -> ledger.reserve(tx, account, run, 1, TEN);
        return new Race(
                on(false, verb),
                on(true, verb),
                (one, other) -> {
                    assertThat(one).isInstanceOf(Reservation.Reserved.class).isEqualTo(other);
                    reserved = reserved.add(TEN);
                });
    }

    /// With one key they are one. With two, the reservation pays for one of them.
    private Race charges(UUID run, String first, String second) {
        return new Race(
                on(false, (tx, ledger) -> ledger.charge(tx, account, run, 1, SIX, first)),
                on(true, (tx, ledger) -> ledger.charge(tx, account, run, 1, SIX, second)),
                (one, other) -> {
                    if (first.equals(second)) {
                        assertThat(one).isInstanceOf(Charge.Charged.class).isEqualTo(other);
                    } else {
                        assertThat(List.of(one, other))
                                .hasAtLeastOneElementOfType(Charge.Charged.class)
                                .contains(new Charge.Beyond(FOUR));
                    }
                    charged(SIX);
                    settled(run, BigDecimal.ZERO.setScale(6), FOUR);
                });
    }

    private void charged(BigDecimal amount) {
        balance = balance.subtract(amount);
        reserved = reserved.subtract(amount);
    }

    private void settled(UUID run, BigDecimal spent, BigDecimal rest) {
        call(on(random.nextBoolean(), settle(run, spent, rest)));
        charged(spent);
        reserved = reserved.subtract(rest);
    }

    private Verb settle(UUID run, BigDecimal spent, BigDecimal rest) {
        return (tx, ledger) -> {
            ledger.settle(tx, account, run, 1, spent, rest);
            return "settled";
        };
    }

    private Race settlements(UUID run) {
        return new Race(
                on(false, settle(run, SIX, FOUR)),
                on(true, settle(run, SIX, FOUR)),
                (one, other) -> {
                    assertThat(List.of(one, other)).containsOnly("settled");
                    charged(SIX);
                    reserved = reserved.subtract(FOUR);
                });
    }

    private Race reversals(UUID run) {
        settled(run, SIX, FOUR);
        UUID charge =
                nodes.test()
                        .database()
                        .value(
                                "select id from credit_entry where run_id = ? and transaction_type"
                                        + " = 'charge'",
                                run);
        Verb verb = (tx, ledger) -> ledger.reverse(tx, account, charge, "again");
        return new Race(
                on(false, verb),
                on(true, verb),
                (one, other) -> {
                    assertThat(((Reversal.Reversed) one).entry())
                            .isEqualTo(((Reversal.Reversed) other).entry());
                    balance = balance.add(SIX);
                });
    }

    /// Together they ask for more than there is.
    private Race scarce() {
        UUID one = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        var most = new BigDecimal("600.000000");
        return new Race(
                on(false, (tx, ledger) -> ledger.reserve(tx, poor, one, 1, most)),
                on(true, (tx, ledger) -> ledger.reserve(tx, poor, other, 1, most)),
                (first, second) -> {
                    boolean won = first instanceof Reservation.Reserved;
                    assertThat(won ? second : first)
                            .isEqualTo(
                                    new Reservation.Insufficient(
                                            most, new BigDecimal("400.000000")));
                    call(
                            on(
                                    won,
                                    (tx, ledger) -> {
                                        ledger.settle(
                                                tx,
                                                poor,
                                                won ? one : other,
                                                1,
                                                BigDecimal.ZERO.setScale(6),
                                                most);
                                        return "settled";
                                    }));
                });
    }

    // Runs.

    private UUID created() {
        NewRun asked =
                Asking.of(
                        raced,
                        account,
                        new Plot.Asked(
                                Plots.one("a"),
                                "fail-fast",
                                1,
                                0,
                                10_000,
                                false,
                                false,
                                Plots.USUAL),
                        nodes.options());
        Node node = nodes.node(random.nextBoolean());
        Created made =
                Doing.patiently(() -> node.runs().inOne(tx -> node.runs().create(tx, asked)));
        return ((Created.Made) made).run().id();
    }

    private Request request(UUID run) {
        return new Request(account, run, Doing.PERSON, "why");
    }

    private Race starts(UUID run) {
        return new Race(
                on(false, (tx, _) -> nodes.node(false).runs().start(tx, request(run))),
                on(true, (tx, _) -> nodes.node(true).runs().start(tx, request(run))),
                (one, other) -> {
                    assertThat(List.of(one, other))
                            .allMatch(each -> each instanceof Ack.Done)
                            .filteredOn(each -> ((Ack.Done) each).changed())
                            .hasSize(1);
                    reserved = reserved.add(TEN);
                });
    }

    /// A worker reports what it used, perhaps more than there is; somebody else ends the run.
    private Race ends(UUID run, WorkItem held) {
        int tokens = List.of(0, 1_500, 10_000, 25_000).get(random.nextInt(4));
        boolean fails = random.nextInt(3) == 0;
        boolean force = random.nextInt(3) == 0;
        var report = new Report(null, "{\"tokens\":" + tokens + "}", null);
        var fence = Fence.of(held.lease().token());
        Command complete = new Command.Complete(fence, "{}", null, report, null);
        Command fail =
                new Command.Fail(
                        fence,
                        null,
                        null,
                        true,
                        new Report(WorkError.of("ValueError", "no"), report.usage(), null),
                        null);
        return new Race(
                () ->
                        Doing.patiently(
                                () ->
                                        nodes.node(false)
                                                .kernel()
                                                .work()
                                                .command(
                                                        new CommandRequest(
                                                                account,
                                                                Profiles.TASKS,
                                                                held.id(),
                                                                fails ? fail : complete,
                                                                false))),
                on(
                        true,
                        (tx, _) ->
                                force
                                        ? nodes.node(true).runs().forceFail(tx, request(run))
                                        : nodes.node(true).runs().cancel(tx, request(run))),
                (one, other) -> {
                    boolean first = one instanceof io.orchestrion.kernel.work.Ack.Applied;
                    boolean second = other instanceof Ack.Done done && done.changed();
                    assertThat(first).as("one of both ends it").isNotEqualTo(second);
                    long least = fails ? 0 : Rules.STEP_LEAST;
                    long used = Math.min(Math.max(tokens * Rules.TOKEN, least), 10_000_000);
                    balance = first ? balance.subtract(BigDecimal.valueOf(used, 6)) : balance;
                    reserved = reserved.subtract(TEN);
                });
    }
}
