package io.orchestrion.orchestrations.model;

import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.model.Rules.Failure;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

/// One execution: what the model allows it to be, what was done to it, and what comes next.
final class Player {
    final int number;
    final Flow flow;
    final int input;
    final Random random;

    UUID id = new UUID(0, 0);
    List<Expected> allowed = new ArrayList<>();
    final Map<String, WorkItem> held = new LinkedHashMap<>();
    @Nullable Violation wrong;
    private final List<String> log = new ArrayList<>();

    Player(int number, Flow flow, Random random) {
        this.number = number;
        this.flow = flow;
        this.random = random;
        this.input = random.nextInt(10);
    }

    synchronized void note(long now, String what) {
        log.add(now % 1_000_000_000 + " " + what);
    }

    Expected model() {
        return allowed.getFirst();
    }

    boolean over() {
        return model().over();
    }

    Violation violation(String what) {
        return new Violation(
                "execution "
                        + number
                        + " ("
                        + id
                        + ", input "
                        + input
                        + ") "
                        + what
                        + "\n\n"
                        + flow.document()
                        + "\n\n"
                        + String.join("\n", log));
    }

    /// Only what agrees with the storage is still possible.
    void settle(String stored, long now) {
        List<Expected> agreeing =
                allowed.stream().filter(each -> each.text(now).equals(stored)).toList();
        if (agreeing.isEmpty()) {
            throw violation(
                    "is stored as\n"
                            + stored
                            + "\n\nand allowed is"
                            + (allowed.size() == 1 ? "" : " one of " + allowed.size() + ", such as")
                            + "\n"
                            + model().text(now)
                            + "\n\nafter");
        }
        allowed = new ArrayList<>(List.of(agreeing.getFirst()));
    }

    void due(long now) {
        var ends = new LinkedHashMap<String, Expected>();
        for (Expected each : allowed) {
            Acts.due(each, now).forEach(end -> ends.putIfAbsent(end.text(now), end));
        }
        allowed = new ArrayList<>(ends.values());
    }

    /// Whoever is asked for it may find that it is over.
    void perhapsDue(long now) {
        Attempt open = model().open();
        if (open != null && open.overdue(now)) {
            var before = List.copyOf(allowed);
            due(now);
            allowed.addAll(before);
        }
    }

    /// What moves of one moment were answered, where they were: null where the answer got lost.
    record Answered(Move move, @Nullable String answer) {}

    /// Each order of what was done at the same time is possible.
    void made(List<Answered> moves, long now) {
        moves.forEach(each -> note(now, each.move() + " -> " + each.answer()));
        var ends = new HashMap<String, Expected>();
        for (Expected each : allowed) {
            follow(each, moves, now, ends);
        }
        if (ends.isEmpty()) {
            throw violation(
                    "answered "
                            + moves
                            + " at\n"
                            + model().text(now)
                            + "\nwhere the model says "
                            + new Acts(model().copy(), now).make(moves.getFirst().move())
                            + "\n\nafter");
        }
        allowed = new ArrayList<>(ends.values());
    }

    private static void follow(
            Expected from, List<Answered> left, long now, Map<String, Expected> ends) {
        if (left.isEmpty()) {
            ends.put(from.text(now), from);
            return;
        }
        for (Answered next : left) {
            var rest = new ArrayList<>(left);
            rest.remove(next);
            Expected changed = from.copy();
            String answer = new Acts(changed, now).make(next.move());
            if (next.answer() == null) {
                follow(from, rest, now, ends);
                follow(changed, rest, now, ends);
            } else if (answer.equals(next.answer())) {
                follow(changed, rest, now, ends);
            }
        }
    }

    /// Whether a worker of the type can have the open attempt now, as far as the model knows.
    boolean mayBeClaimed(String type, long now) {
        return allowed.stream().anyMatch(each -> claimable(each, type, now));
    }

    /// Whether it has to be there for a worker of the type, whatever has happened.
    boolean isClaimable(String type, long now) {
        return allowed.stream().allMatch(each -> claimable(each, type, now));
    }

    private static boolean claimable(Expected each, String type, long now) {
        Attempt open = each.open();
        return open != null
                && open.awaits.equals("worker")
                && open.handler().equals(type)
                && open.ready(now)
                && !open.overdue(now);
    }

    void claimed(WorkItem item, String type, long now) {
        allowed.removeIf(each -> !claimable(each, type, now));
        for (Expected each : allowed) {
            Acts.claim(Objects.requireNonNull(each.open()), now);
        }
        String name = Objects.requireNonNull(model().open()).name();
        note(now, "claimed " + name);
        held.put(name, item);
    }

    /// A call of the open attempt arrives: it is answered by chance.
    synchronized CallOutcome called(String key, String expectedKey, long now) {
        Attempt open = model().open();
        boolean right =
                allowed.size() == 1
                        && open != null
                        && open.awaits.equals("call")
                        && open.ready(now)
                        && key.equals(expectedKey);
        if (!right) {
            note(now, "CALLED where nothing is to be called: " + open);
            return new CallOutcome.Failed(CallOutcome.Reason.ADDRESS_REFUSED, "not now", false);
        }
        Acts.claim(open, now);
        Failure failure = random.nextInt(10) < 7 ? null : Draw.failureOfCall(random);
        note(now, "called " + open.name() + " -> " + failure);
        if (failure != null) {
            model().end(open, "failed", failure, now);
            return Draw.outcome(failure);
        }
        open.guardSaysDone = open.kind.equals("guard") && random.nextBoolean();
        String body = "{\"completed\":" + open.guardSaysDone + "}";
        model().succeed(open, now);
        return new CallOutcome.Answered(
                200,
                Map.of("Content-Type", List.of("application/json")),
                body.getBytes(StandardCharsets.UTF_8));
    }
}
