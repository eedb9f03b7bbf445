package io.orchestrion.orchestrations.model;

import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.CallOutcome.Reason;
import io.orchestrion.orchestrations.model.Rules.Failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Draws what happens next.
final class Draw {
    private static final List<Integer> STATUSES =
            List.of(400, 401, 404, 409, 412, 422, 424, 429, 500, 502, 503, 504);
    private static final List<String> CODES =
            List.of(
                    "optimistic_lock_conflict",
                    "rate_limited",
                    "dependency_failed",
                    "odd",
                    "connect_failed",
                    "nobody_knows_this",
                    "torn");

    private Draw() {}

    static Failure failure(Random random) {
        Integer after = random.nextInt(5) == 0 ? random.nextInt(40) : null;
        boolean partial = random.nextInt(8) == 0;
        return random.nextBoolean()
                ? new Failure(pick(random, CODES), null, partial, after, false)
                : new Failure("http", pick(random, STATUSES), partial, after, false);
    }

    static Failure failureOfCall(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new Failure("connect_failed", null, false, null, false);
            case 1 -> new Failure("read_timeout", null, false, null, true);
            default -> {
                Integer after = random.nextInt(4) == 0 ? random.nextInt(40) : null;
                yield new Failure("http", pick(random, STATUSES), false, after, false);
            }
        };
    }

    static CallOutcome outcome(Failure failure) {
        if (failure.status() != null) {
            return new CallOutcome.Answered(
                    failure.status(),
                    failure.retryAfter() == null
                            ? Map.of()
                            : Map.of("Retry-After", List.of("" + failure.retryAfter())),
                    new byte[0]);
        }
        return failure.unknown()
                ? new CallOutcome.Failed(Reason.TIMED_OUT, "no answer", true)
                : new CallOutcome.Failed(Reason.CONNECT_FAILED, "nobody there", false);
    }

    /// None, one, or two at the same time.
    static List<Move> moves(Player player, boolean finishing) {
        Random random = player.random;
        Expected it = player.model();
        var moves = new ArrayList<Move>();
        Move usual = finishing ? towardsTheEnd(player, it) : usual(player, it, random);
        if (usual != null) {
            moves.add(usual);
        }
        if (!finishing && random.nextInt(12) == 0) {
            moves.add(any(player, it, random));
        }
        return moves;
    }

    private static Move towardsTheEnd(Player player, Expected it) {
        if (it.status.equals("paused")) {
            return new Move.Resume();
        }
        int asked = pending(it);
        if (asked >= 0) {
            return new Move.Decide(asked, true, false);
        }
        Attempt open = it.open();
        return open != null && player.held.containsKey(open.name()) && open.running()
                ? new Move.Complete(open.name(), "{\"completed\":true}")
                : null;
    }

    private static int pending(Expected it) {
        for (int i = 0; i < it.asks.size(); i++) {
            if (it.asks.get(i).pending()) {
                return i;
            }
        }
        return -1;
    }

    private static Move usual(Player player, Expected it, Random random) {
        int chance = random.nextInt(100);
        int asked = pending(it);
        if (asked >= 0) {
            return chance < 40
                    ? new Move.Decide(asked, true, random.nextInt(4) == 0)
                    : chance < 60 ? new Move.Decide(asked, false, random.nextInt(4) == 0) : null;
        }
        if (it.status.equals("paused") && chance < 40) {
            return new Move.Resume();
        }
        if (it.status.equals("failed")) {
            return afterFailure(it, random);
        }
        if (it.running() && chance < 6) {
            return new Move.Pause();
        }
        Attempt open = it.open();
        boolean mine =
                open != null
                        && open.awaits.equals("worker")
                        && open.running()
                        && player.held.containsKey(open.name());
        return mine ? ofWorker(open, random) : null;
    }

    private static Move ofWorker(Attempt open, Random random) {
        int chance = random.nextInt(100);
        if (chance < 40) {
            return new Move.Complete(open.name(), "{\"completed\":" + random.nextBoolean() + "}");
        }
        return chance < 65
                ? new Move.Fail(open.name(), failure(random))
                : chance < 75 ? new Move.Beat(open.name()) : null;
    }

    private static Move afterFailure(Expected it, Random random) {
        int chance = random.nextInt(100);
        boolean confirm = random.nextBoolean();
        if (chance < 15) {
            return new Move.Retry(null, confirm);
        }
        if (chance < 25) {
            return new Move.Retry(step(it, random), confirm);
        }
        if (it.letters.isEmpty() || chance >= 70) {
            return null;
        }
        return onLetter(it, random, confirm);
    }

    private static String step(Expected it, Random random) {
        return pick(random, it.attempts).step.id();
    }

    private static Move onLetter(Expected it, Random random, boolean confirm) {
        int letter = random.nextInt(it.letters.size());
        return switch (random.nextInt(7)) {
            case 0, 1 -> new Move.Reprocess(letter, confirm);
            case 2, 3 -> new Move.Compensate(letter);
            case 4 -> new Move.Mark(letter);
            case 5 -> new Move.Resolve(letter);
            default -> new Move.Close();
        };
    }

    /// Also what makes no sense now.
    private static Move any(Player player, Expected it, Random random) {
        boolean yes = random.nextBoolean();
        return switch (random.nextInt(12)) {
            case 0, 1 -> new Move.Pause();
            case 2, 3 -> new Move.Resume();
            case 4 -> new Move.Cancel();
            case 5 -> new Move.Retry(null, yes);
            case 6 -> it.letters.isEmpty() ? new Move.Close() : onLetter(it, random, yes);
            case 7, 8 ->
                    it.asks.isEmpty()
                            ? new Move.Pause()
                            : new Move.Decide(random.nextInt(it.asks.size()), yes, false);
            default -> late(player, random);
        };
    }

    /// A report of whoever has or once had an attempt.
    private static Move late(Player player, Random random) {
        if (player.held.isEmpty()) {
            return new Move.Resume();
        }
        String name = pick(random, List.copyOf(player.held.keySet()));
        return switch (random.nextInt(4)) {
            case 0 -> new Move.Fail(name, failure(random));
            case 1 -> new Move.Beat(name);
            default -> new Move.Complete(name, "{\"completed\":" + random.nextBoolean() + "}");
        };
    }

    static <T> T pick(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
