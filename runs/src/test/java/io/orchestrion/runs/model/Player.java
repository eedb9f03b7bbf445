package io.orchestrion.runs.model;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.model.Parts.Spot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;

/// One run: what the model allows it to be, what was done to it, and what comes next.
final class Player {
    final int number;
    final Plot.Asked asked;
    final Random random;
    final UUID account;

    UUID id = new UUID(0, 0);

    /// Where it was found last.
    @Nullable Stored stored;

    List<Expected> allowed = new ArrayList<>();

    /// What workers hold, or held, by step and attempt.
    final Map<String, WorkItem> held = new LinkedHashMap<>();

    @Nullable Violation wrong;
    private boolean touched = true;
    private final List<String> log = new ArrayList<>();

    Player(int number, Plot.Asked asked, Random random, UUID account) {
        this.number = number;
        this.asked = asked;
        this.random = random;
        this.account = account;
        allowed.add(new Expected(asked));
    }

    synchronized void note(long now, String what) {
        log.add(now % 1_000_000_000 + " " + what);
    }

    Expected model() {
        return allowed.getFirst();
    }

    /// Whether something may have changed since it was compared with the storage.
    boolean moves() {
        return touched || !over();
    }

    boolean over() {
        return model().deleted || model().over();
    }

    Violation violation(String what) {
        return new Violation(
                "run %d (%s) %s%n%n%s%n%n%s"
                        .formatted(
                                number,
                                id,
                                what,
                                asked
                                        + "\n"
                                        + (asked.plan() == null ? "" : asked.plan().document()),
                                String.join("\n", log)));
    }

    /// Only what agrees with the storage is still possible.
    void settle(Stored found) {
        stored = found;
        String text = found.text(id);
        List<Expected> agreeing =
                allowed.stream().filter(each -> each.text().equals(text)).toList();
        if (agreeing.isEmpty()) {
            throw violation(
                    "is stored as\n"
                            + text
                            + "\n\nand allowed is"
                            + (allowed.size() == 1 ? "" : " one of " + allowed.size() + ", such as")
                            + "\n"
                            + model().text()
                            + "\n\nafter");
        }
        allowed = new ArrayList<>(List.of(agreeing.getFirst()));
        touched = false;
    }

    void touch() {
        touched = true;
    }

    /// @return whether anything is to be compared with the storage
    boolean become(Function<Expected, List<Expected>> what) {
        if (allowed.size() == 1) {
            Expected before = model();
            allowed = new ArrayList<>(what.apply(before));
            touched |= allowed.size() > 1 || model() != before;
            return touched;
        }
        var ends = new LinkedHashMap<String, Expected>();
        for (Expected each : allowed) {
            what.apply(each).forEach(end -> ends.putIfAbsent(end.text(), end));
        }
        allowed = new ArrayList<>(ends.values());
        touched = true;
        return true;
    }

    /// What moves of one moment were answered, where they were: null where the answer got lost.
    record Answered(Move move, @Nullable String answer) {}

    /// Each order of what was done at the same time is possible.
    void made(List<Answered> moves, long now) {
        touched = true;
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
                            + model().text()
                            + "\nwhere the model says "
                            + new Acts(model().copy(), now).make(moves.getFirst().move())
                            + "\n\nafter");
        }
        allowed = new ArrayList<>(ends.values());
    }

    private static void follow(
            Expected from, List<Answered> left, long now, Map<String, Expected> ends) {
        if (left.isEmpty()) {
            ends.put(from.text(), from);
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

    /// Steps of which a worker of the type gets an attempt now.
    List<String> claimable(String type, long now) {
        return model().spots().stream()
                .filter(each -> each.step().call.tool().equals(type))
                .filter(each -> Clockwork.claimable(model(), each, now))
                .map(Spot::name)
                .toList();
    }

    void claimed(WorkItem item, String step, String attempt, long now) {
        note(now, "claimed " + step + attempt);
        Clockwork.claim(model(), step, now);
        held.put(step + attempt, item);
    }
}
