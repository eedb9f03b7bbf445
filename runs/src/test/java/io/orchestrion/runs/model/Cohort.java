package io.orchestrion.runs.model;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.engine.Created;
import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.model.Clockwork.Look;
import io.orchestrion.runs.model.Nodes.Node;
import io.orchestrion.testkit.Parallel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Some runs, played at the same time until all of them are over.
final class Cohort {
    private static final int ROUNDS = 12;
    private static final int ROUNDS_MAX = 200;
    private static final int THREADS = 6;

    /// In between, none is near the end of a driver's lease, which both may see first.
    private static final List<Long> STEPS_OF_TIME =
            List.of(1L, 1L, 50L, 100L, 200L, 1000L, 1000L, 5000L, 19_000L, 45_000L, 61_000L);

    private static final List<Long> LEAPS = List.of(130_000L, 310_000L, 700_000L, 7_200_000L);
    private static final long LEASE_OF_DRIVERS_MS = 30_000;
    private static final List<String> TYPES = List.of("ta", "tb", "tc", "run_plan", "agent_plan");
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

    /// Those of whom nothing wrong was seen so far.
    private final List<Player> players;

    private final List<Violation> violations = new ArrayList<>();
    private final Map<UUID, Player> byId = new HashMap<>();
    private final Aftermath aftermath;
    /// From some time on, nothing is done but what brings runs to their ends.
    private boolean finishing;

    Cohort(Nodes nodes, Random random, List<Player> players) {
        this.nodes = nodes;
        this.random = random;
        this.players = new ArrayList<>(players);
        this.aftermath = new Aftermath(nodes);
        inParallel(player -> create(player, nodes.node(player.number % 2 == 0)));
        this.players.forEach(each -> byId.put(each.id, each));
    }

    /// Each of another run.
    List<Violation> violations() {
        return violations;
    }

    /// It is looked at no more: what follows from what is wrong says nothing new.
    private void leave(Player player, Violation why) {
        players.remove(player);
        violations.add(why);
    }

    private Stored read(List<Player> some) {
        return new Stored(nodes.test().database(), some.stream().map(each -> each.id).toList());
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
        NewRun run = Asking.of(player.number, player.account, player.asked, nodes.options());
        Created refused = node.runs().refused(run);
        if (refused != null) {
            throw player.violation("is refused: " + refused);
        }
        Created made = Doing.patiently(() -> node.runs().inOne(tx -> node.runs().create(tx, run)));
        player.id = ((Created.Made) made).run().id();
        player.note(nodes.now(), "created");
    }

    void play() {
        settle();
        int round = 0;
        for (; !open().isEmpty() || round < ROUNDS; round++) {
            finishing = round >= ROUNDS;
            if (round > ROUNDS_MAX) {
                for (Player player : List.copyOf(players)) {
                    if (!player.over()) {
                        leave(player, player.violation("does not end"));
                    }
                }
                return;
            }
            if (!finishing && random.nextInt(25) == 0) {
                nodes.killSecond();
            } else if (!finishing && random.nextInt(30) == 0) {
                nodes.stopSecond();
            }
            pass();
            give();
            for (int i = 0; i < 3; i++) {
                nodes.advance(1);
                move();
            }
            Doing.patiently(aftermath::broken).forEach(this::explain);
            if (!violations.isEmpty()) {
                return;
            }
        }
        System.out.println(
                "RunModelTest " + players.size() + " runs are over after " + round + " rounds");
        players.forEach(Player::touch);
        settle();
        Doing.patiently(aftermath::atEnd).forEach(this::explain);
    }

    /// What was found of a run, with all that was done to it.
    private void explain(Violation found) {
        String what = String.valueOf(found.getMessage());
        violations.add(
                byId.values().stream()
                        .filter(each -> what.contains(each.id.toString()))
                        .findFirst()
                        .map(
                                each ->
                                        each.violation(
                                                what + "\n" + read(List.of(each)).text(each.id)))
                        .orElse(found));
    }

    /// Time goes by, and what is due is done, on one node or on both at once.
    private void pass() {
        boolean leaps = random.nextInt(finishing ? 40 : 12) == 0;
        long step = of(leaps ? LEAPS : STEPS_OF_TIME);
        nodes.advance(step);
        if (step < LEASE_OF_DRIVERS_MS) {
            nodes.beat();
        }
        boolean outage = step > Rules.HEARTBEAT_MS && random.nextInt(3) == 0;
        boolean clocksFirst = random.nextBoolean();
        if (outage) {
            watch();
        }
        if (clocksFirst) {
            look(Look.CLOCKS);
        }
        look(Look.LEASES);
        boolean idle = step < 10_000 && random.nextInt(6) == 0;
        if (!idle) {
            drive();
        }
        if (!clocksFirst) {
            look(Look.CLOCKS);
        }
        watch();
    }

    private List<Player> open() {
        return players.stream().filter(each -> !each.over()).toList();
    }

    private <T> T of(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private List<Player> moving() {
        return players.stream().filter(Player::moves).toList();
    }

    private void settle() {
        List<Player> moving = moving();
        compare(moving, read(moving));
    }

    private void compare(List<Player> some, Stored stored) {
        for (Player player : some) {
            try {
                player.settle(stored);
            } catch (Violation e) {
                leave(player, e);
            }
        }
    }

    /// What all of them become, and whether that is what is stored.
    private void become(BiFunction<Player, Expected, List<Expected>> what) {
        boolean changed = false;
        for (Player each : open()) {
            changed |= each.become(it -> what.apply(each, it));
        }
        if (changed) {
            settle();
        }
    }

    private void look(Look look) {
        List<String> duties =
                look == Look.LEASES
                        ? List.of("lease-reaper", "due-promoter")
                        : List.of("run-clocks");
        Node one = nodes.node(random.nextBoolean());
        if (random.nextInt(3) == 0) {
            Parallel.run(
                    2,
                    i ->
                            () -> {
                                sweep(nodes.node(i == 0), duties);
                                return null;
                            });
        }
        // Again, because what the other node was busy with is left for the next pass.
        for (int pass = 0; pass < 2; pass++) {
            nodes.lookAtLeasesAgain();
            sweep(one, duties);
        }
        become((_, it) -> Clockwork.due(it, look, nodes.now()));
    }

    private static void sweep(Node node, List<String> duties) {
        for (String duty : duties) {
            int done = 1;
            while (done > 0) {
                done = Doing.patiently(() -> node.kernel().sweepOnce(duty));
            }
        }
    }

    private void drive() {
        nodes.advance(1);
        List<Node> some =
                random.nextBoolean() ? nodes.all() : List.of(nodes.node(random.nextBoolean()));
        nodes.drive(some);
        Map<UUID, Clockwork.PutOff> later = nodes.drivenLater();
        become((each, it) -> List.of(Clockwork.driven(it, nodes.now(), later.get(each.id))));
    }

    /// what had no heartbeat for longer than a minute fails.
    private void watch() {
        Map<UUID, Long> beats = nodes.heartbeats();
        sweep(nodes.node(random.nextBoolean()), List.of("run-heartbeat-monitor"));
        become(
                (each, it) -> {
                    long beat = beats.getOrDefault(each.id, nodes.now());
                    if (!it.running() || beat >= nodes.now() - Rules.HEARTBEAT_MS) {
                        return List.of(it);
                    }
                    each.note(nodes.now(), "without a heartbeat since " + beat % 1_000_000_000);
                    Expected copy = it.copy();
                    Clockwork.lost(copy, nodes.now());
                    return List.of(copy);
                });
    }

    /// Workers get what there is of some types.
    private void give() {
        List<UUID> accounts = open().stream().map(each -> each.account).distinct().toList();
        var items = new ArrayList<WorkItem>();
        Set<String> types = new HashSet<>();
        for (String type : TYPES) {
            if (finishing || random.nextInt(4) > 0) {
                types.add(type);
                boolean both = random.nextInt(3) == 0;
                for (UUID account : accounts) {
                    if (both) {
                        Parallel.run(
                                        2,
                                        i ->
                                                () ->
                                                        Doing.claimAll(
                                                                nodes.node(i == 0), account, type))
                                .forEach(items::addAll);
                    } else {
                        items.addAll(
                                Doing.claimAll(nodes.node(random.nextBoolean()), account, type));
                    }
                }
            }
        }
        Map<Player, List<String>> due = new HashMap<>();
        for (Player player : players) {
            var steps = new ArrayList<String>();
            types.forEach(type -> steps.addAll(player.claimable(type, nodes.now())));
            due.put(player, steps);
        }
        List<Player> moving = moving();
        Stored now = read(moving);
        for (WorkItem item : items) {
            Player player = byId.get(item.owner().id());
            List<String> steps = due.get(player);
            if (player == null || steps == null) {
                continue;
            }
            String step = now.stepOf(item.id());
            if (steps.remove(step)) {
                player.claimed(item, step, now.nameOf(item.id()), nodes.now());
            } else if (players.contains(player)) {
                leave(
                        player,
                        player.violation(
                                "was given out at " + step + "\n" + player.model().text()));
            }
        }
        due.forEach(
                (player, steps) -> {
                    if (!steps.isEmpty() && players.contains(player)) {
                        leave(
                                player,
                                player.violation(
                                        "is not given out at "
                                                + steps
                                                + "\n"
                                                + now.text(player.id)));
                    }
                });
        compare(moving.stream().filter(players::contains).toList(), now);
    }

    /// Everybody moves at the same time, some against each other, some on broken transactions.
    private void move() {
        String place = of(PLACES);
        boolean broken = !finishing && random.nextInt(5) == 0;
        if (broken) {
            Doing.breakSome(nodes.all(), place);
        }
        long seed = random.nextLong();
        inParallel(player -> move(player, seed));
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

    private void move(Player player, long seed) {
        List<Move> moves = Draw.moves(player, finishing);
        if (moves.isEmpty() || (finishing && player.over())) {
            return;
        }
        boolean other = ((seed >> (player.number % 60)) & 1) == 1;
        try {
            List<Player.Answered> answered =
                    Parallel.run(
                            moves.size(),
                            i ->
                                    () -> {
                                        var doing = new Doing(nodes.node(other == (i == 0)));
                                        Move move = moves.get(i);
                                        return new Player.Answered(move, doing.make(player, move));
                                    });
            player.made(answered, nodes.now());
        } catch (Violation e) {
            player.wrong = e;
        } catch (AssertionError e) {
            player.wrong = player.violation("broke at " + moves + ": " + e + " " + e.getCause());
        }
    }
}
