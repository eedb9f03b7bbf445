package io.orchestrion.orchestrations.model;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.orchestrations.execution.Created;
import io.orchestrion.orchestrations.execution.Definitions;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.orchestrations.execution.NewExecution;
import io.orchestrion.orchestrations.execution.Person;
import io.orchestrion.orchestrations.model.Nodes.Node;
import io.orchestrion.testkit.Parallel;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Some executions of one account, played at the same time until all of them are over.
final class Cohort {
    private static final int ROUNDS = 16;
    private static final int ROUNDS_MAX = 150;
    private static final int THREADS = 8;
    private static final List<Long> STEPS_OF_TIME =
            List.of(0L, 1000L, 4000L, 19_000L, 30_000L, 59_000L, 60_000L, 198_000L);
    private static final long LEFT_ALONE_MS = 10_000;
    private static final List<String> SWEEPS = List.of("lease-reaper", "give-up", "due-promoter");
    private static final List<String> PLACES =
            List.of(
                    "pool.before-commit",
                    "pool.after-commit",
                    "holder.before-commit",
                    "holder.after-commit",
                    "settle.before-commit",
                    "settle.after-commit");

    private final Nodes nodes;
    private final Random random;
    private final UUID account;

    /// Those of whom nothing wrong was seen so far.
    private final List<Player> players;

    private final List<Violation> violations = new ArrayList<>();
    private final Map<UUID, Player> byId = new HashMap<>();
    private final Map<String, Player> byKey = new HashMap<>();
    private boolean secondLeavesAlone;
    private long leavesAloneUntil;
    private Stored stored;

    Cohort(Nodes nodes, Random random, List<Player> players) {
        this.nodes = nodes;
        this.random = random;
        this.players = new ArrayList<>(players);
        this.account = nodes.test().account();
        createAll();
        stored = read();
        nodes.service = this::answer;
    }

    UUID account() {
        return account;
    }

    List<Player> players() {
        return players;
    }

    /// Each of another execution.
    List<Violation> violations() {
        return violations;
    }

    /// It is looked at no more: what follows from what is wrong says nothing new.
    private void leave(Player player, Violation why) {
        players.remove(player);
        violations.add(why);
    }

    private Stored read() {
        return new Stored(nodes.test().database(), account, nodes.now());
    }

    /// Some answers get lost, before or after the commit; with the same key nothing is made twice.
    private void createAll() {
        String place =
                "execution-create-keyed." + (random.nextBoolean() ? "before" : "after") + "-commit";
        breakSome(nodes.all(), place);
        inParallel(player -> create(player, nodes.node(player.number % 2 == 0)));
        nodes.all().forEach(node -> node.failpoints().disarm(place));
        for (Player player : players) {
            byId.put(player.id, player);
            for (var step : player.flow.steps()) {
                for (int epoch = 0; epoch < Keys.EPOCHS; epoch++) {
                    for (boolean undo : List.of(true, false)) {
                        byKey.put(Keys.of(account, player.id, step.id(), undo, epoch), player);
                    }
                }
            }
        }
    }

    private void inParallel(Consumer<Player> body) {
        Parallel.run(
                THREADS,
                i ->
                        () -> {
                            IntStream.range(0, players.size())
                                    .filter(at -> at % THREADS == i)
                                    .mapToObj(players::get)
                                    .forEach(body);
                            return null;
                        });
    }

    private void create(Player player, Node node) {
        Definitions definitions = node.engine().definitions();
        var person = new Person(new UUID(1, 1), "one");
        String document = player.flow.document();
        UUID definition =
                done(Doing.patiently(() -> definitions.create(account, person, document)), player);
        done(Doing.patiently(() -> definitions.publish(account, person, definition, 1)), player);
        var asked =
                new NewExecution(
                        account,
                        definition,
                        null,
                        new Target("thing", "" + player.number),
                        "{\"n\":" + player.input + "}",
                        "key-" + player.number,
                        null,
                        null,
                        UUID.nameUUIDFromBytes(
                                ("" + player.number).getBytes(StandardCharsets.UTF_8)));
        player.id = created(node, asked);
        player.note(nodes.now(), "created");
        player.allowed.add(Expected.started(player.flow, player.input, nodes.now()));
    }

    private static UUID done(Definitions.Changed changed, Player player) {
        if (changed instanceof Definitions.Changed.Done done) {
            return done.version().id();
        }
        throw player.violation("has no definition: " + changed);
    }

    private static UUID created(Node node, NewExecution asked) {
        while (true) {
            try {
                return ((Created.Made) node.engine().create(asked)).execution().id();
            } catch (Failpoints.Injected | StoreException e) {
                // Nobody knows, so it is asked for again.
            }
        }
    }

    private CallOutcome answer(Call call) {
        String key = String.valueOf(call.headers().get("Idempotency-Key"));
        Player player = byKey.get(key);
        if (player == null) {
            return new CallOutcome.Failed(CallOutcome.Reason.ADDRESS_REFUSED, key, false);
        }
        Attempt open = player.model().open();
        return player.called(
                key, open == null ? "" : Keys.of(account, player.id, open), nodes.now());
    }

    void play() {
        for (int round = 0; !players.stream().allMatch(Player::over) || round < ROUNDS; round++) {
            boolean finishing = round >= ROUNDS;
            if (round > ROUNDS_MAX) {
                for (Player player : List.copyOf(players)) {
                    if (!player.over()) {
                        leave(player, player.violation("does not end"));
                    }
                }
                return;
            }
            if (random.nextInt(20) == 0) {
                nodes.dropSecond();
            }
            int step = random.nextInt(STEPS_OF_TIME.size());
            nodes.advance(STEPS_OF_TIME.get(finishing ? Math.max(5, step) : step));
            if (finishing || random.nextInt(4) > 0) {
                sweep();
            }
            nodes.advance(1000);
            give(finishing);
            nodes.advance(1000);
            move(finishing);
        }
    }

    private void settle() {
        stored = read();
        for (Player player : List.copyOf(players)) {
            try {
                player.settle(stored.text(player.id), nodes.now());
            } catch (Violation e) {
                leave(player, e);
            }
        }
    }

    /// What is due ends, on one node or on both at once, some of it with a broken transaction.
    private void sweep() {
        boolean second = random.nextBoolean();
        if (nodes.now() < leavesAloneUntil) {
            second = !secondLeavesAlone;
        }
        Node one = nodes.node(second);
        boolean both = random.nextInt(3) == 0;
        if (random.nextInt(6) == 0) {
            // That node leaves alone for a while what it could not end, and whatever else becomes
            // due of the same execution meanwhile: only the other one is sure to end that.
            secondLeavesAlone = !second;
            leavesAloneUntil = nodes.now() + LEFT_ALONE_MS;
            Node broken = nodes.node(!second);
            String place = PLACES.get(random.nextInt(2));
            breakSome(List.of(broken), place);
            sweep(broken);
            broken.failpoints().disarm(place);
            nodes.lookAtLeasesAgain();
        }
        // Again, because what is busy on the other node is left for the next pass.
        for (int pass = 0; pass < 2; pass++) {
            if (both) {
                Parallel.run(
                        2,
                        i ->
                                () -> {
                                    sweep(nodes.node(i == 0));
                                    return null;
                                });
            } else {
                sweep(one);
            }
        }
        // A lease whose owner the other node was busy with is looked at again half a second later,
        // and the clock stands still here.
        nodes.lookAtLeasesAgain();
        sweep(one);
        players.forEach(each -> each.due(nodes.now()));
        settle();
    }

    private void sweep(Node node) {
        var duties = new ArrayList<>(SWEEPS);
        Collections.shuffle(duties, new Random(random.nextLong()));
        for (String duty : duties) {
            try {
                node.kernel().sweepOnce(duty);
            } catch (Failpoints.Injected | StoreException e) {
                // Another pass will do it.
            }
        }
    }

    private static void breakSome(List<Node> at, String place) {
        var hits = new AtomicInteger();
        at.forEach(
                node ->
                        node.failpoints()
                                .arm(
                                        place,
                                        () -> {
                                            if (hits.incrementAndGet() % 3 == 0) {
                                                throw new Failpoints.Injected(place);
                                            }
                                        }));
    }

    /// Calls are made, and workers get what there is of some types.
    private void give(boolean finishing) {
        players.forEach(each -> each.perhapsDue(nodes.now()));
        boolean other = random.nextBoolean();
        if (finishing || random.nextInt(3) > 0) {
            nodes.makeCalls(nodes.node(other));
        }
        for (String type : Flow.WORKERS) {
            if (finishing || random.nextInt(3) > 0) {
                claim(type, random.nextInt(3) == 0);
            }
        }
        settle();
    }

    private void claim(String type, boolean byBoth) {
        List<WorkItem> items = new ArrayList<>();
        if (byBoth) {
            Parallel.run(2, i -> () -> claimAll(nodes.node(i == 0), type)).forEach(items::addAll);
        } else {
            items.addAll(claimAll(nodes.node(random.nextBoolean()), type));
        }
        Set<Player> given = new HashSet<>();
        for (WorkItem item : items) {
            Player player = byId.get(item.owner().id());
            if (players.contains(player)) {
                if (!given.add(player) || !player.mayBeClaimed(type, nodes.now())) {
                    leave(
                            player,
                            player.violation(
                                    "was given to a worker as "
                                            + type
                                            + " at\n"
                                            + player.model().text(nodes.now())));
                } else {
                    player.claimed(item, type, nodes.now());
                }
            }
        }
        for (Player player : List.copyOf(players)) {
            if (!given.contains(player) && player.isClaimable(type, nodes.now())) {
                leave(
                        player,
                        player.violation(
                                "is not given to workers of "
                                        + type
                                        + (byBoth ? " of both nodes" : "")
                                        + " at\n"
                                        + read().text(player.id)));
            }
        }
    }

    private List<WorkItem> claimAll(Node node, String type) {
        var all = new ArrayList<WorkItem>();
        List<WorkView> some;
        do {
            some =
                    node.kernel()
                            .work()
                            .claim(
                                    new ClaimRequest(account, "tasks", type, 50, "worker", null),
                                    Duration.ZERO)
                            .items();
            some.forEach(each -> all.add(each.item()));
        } while (!some.isEmpty());
        return all;
    }

    /// Everybody moves at the same time, some against each other, some on broken transactions.
    private void move(boolean finishing) {
        String place = PLACES.get(random.nextInt(PLACES.size()));
        boolean broken = !finishing && random.nextInt(5) == 0;
        if (broken) {
            breakSome(nodes.all(), place);
        }
        long seed = random.nextLong();
        inParallel(player -> move(player, finishing, seed));
        for (Player player : List.copyOf(players)) {
            if (player.wrong != null) {
                leave(player, player.wrong);
            }
        }
        if (broken) {
            nodes.all().forEach(node -> node.failpoints().disarm(place));
        }
        settle();
    }

    private void move(Player player, boolean finishing, long seed) {
        List<Move> moves = Draw.moves(player, finishing);
        if (moves.isEmpty()) {
            return;
        }
        boolean other = ((seed >> (player.number % 60)) & 1) == 1;
        List<Player.Answered> answered;
        try {
            answered =
                    Parallel.run(
                            moves.size(),
                            i ->
                                    () -> {
                                        var doing =
                                                new Doing(
                                                        nodes.node(other == (i == 0)),
                                                        account,
                                                        stored);
                                        Move move = moves.get(i);
                                        return new Player.Answered(move, doing.make(player, move));
                                    });
        } catch (AssertionError e) {
            player.wrong = player.violation("broke at " + moves + ": " + e.getMessage());
            return;
        }
        try {
            player.made(answered, nodes.now());
        } catch (Violation e) {
            player.wrong = e;
        }
    }
}
