package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Move.Verb;
import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Spot;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Try;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What happens to one run next, by chance.
final class Draw {
    private static final List<Integer> STATUSES = List.of(400, 404, 429, 500, 502, 503, 504);
    private static final List<Integer> RETRY_AFTER = List.of(1, 5, 30, 31, 40);

    private final Player player;
    private final Random random;
    private final boolean finishing;

    private Draw(Player player, boolean finishing) {
        this.player = player;
        this.random = player.random;
        this.finishing = finishing;
    }

    /// What is done at the same moment.
    static List<Move> moves(Player player, boolean finishing) {
        return new Draw(player, finishing).moves();
    }

    private List<Move> moves() {
        Move first = finishing ? goOn() : any();
        if (first == null) {
            return List.of();
        }
        Move second = random.nextInt(4) > 0 ? null : finishing ? goOn() : any();
        return second == null || second.equals(first) || ofOneAttempt(first, second)
                ? List.of(first)
                : List.of(first, second);
    }

    /// A worker says one thing at a time.
    private static boolean ofOneAttempt(Move first, Move second) {
        return first instanceof Move.Complete one
                        && second instanceof Move.Complete other
                        && one.step().equals(other.step())
                || first instanceof Move.PlanByHand && second instanceof Move.PlanByHand;
    }

    private @Nullable Move any() {
        Expected it = player.model();
        int dice = random.nextInt(100);
        if (dice < 3) {
            return new Move.OfRun(Verb.PAUSE);
        }
        if (dice < 5 && random.nextInt(4) == 0) {
            return new Move.OfRun(verb());
        }
        if (dice < 7 && !it.agents.isEmpty()) {
            Agent agent = one(it.agents);
            return random.nextBoolean() || agent.tasks.isEmpty()
                    ? random.nextInt(3) == 0 ? new Move.CancelAgent(agent.name()) : goOn()
                    : new Move.CancelTask(agent.name(), random.nextInt(agent.tasks.size()));
        }
        if (dice < 9 && !player.held.isEmpty()) {
            String late = one(List.copyOf(player.held.keySet()));
            int cut = late.indexOf('#');
            return report(late.substring(0, cut), late.substring(cut));
        }
        if (dice < 12 && it.planning() != null) {
            return new Move.PlanByHand(Plots.plan(random, Plots.Size.SMALL));
        }
        if (it.status.equals("failed") && dice < 40) {
            return new Move.OfRun(Verb.RETRY);
        }
        if (it.paused() && dice < 60) {
            return null;
        }
        if (it.escalated() && dice > 70) {
            return new Move.Resolve(random.nextInt(4) > 0);
        }
        return goOn();
    }

    private Verb verb() {
        return one(List.of(Verb.values()));
    }

    /// What brings it nearer to its end.
    private @Nullable Move goOn() {
        Expected it = player.model();
        if (it.status.equals("created")) {
            return it.deleted
                    ? null
                    : new Move.OfRun(
                            finishing && it.available() < it.reservation()
                                    ? Verb.CANCEL
                                    : Verb.START);
        }
        if (it.paused()) {
            return it.escalated() && random.nextBoolean()
                    ? new Move.Resolve(finishing || random.nextInt(5) > 0)
                    : new Move.OfRun(Verb.RESUME);
        }
        var asked = new ArrayList<Spot>();
        var held = new ArrayList<Spot>();
        for (Spot each : it.spots()) {
            Try open = each.step().open();
            if (each.step().asking) {
                asked.add(each);
            } else if (open != null && open.status.equals("running")) {
                held.add(each);
            }
        }
        if (!asked.isEmpty() && (held.isEmpty() || random.nextBoolean())) {
            return new Move.Decide(one(asked).name(), finishing || random.nextInt(5) > 0);
        }
        if (held.isEmpty()) {
            return null;
        }
        Spot spot = one(held);
        Try open = spot.step().tries.getLast();
        if (!finishing && random.nextInt(12) == 0) {
            return random.nextBoolean() ? null : new Move.Beat(spot.name(), open.name());
        }
        return report(spot.name(), open.name());
    }

    private Move report(String step, String attempt) {
        int tokens = tokens();
        if (!finishing && random.nextInt(100) < player.number * 7 % 50) {
            return new Move.Fail(step, attempt, tokens, failure());
        }
        Spot spot = player.model().spot(step);
        Step of = spot == null ? null : spot.step();
        if (of == null) {
            return new Move.Complete(step, attempt, tokens, "{\"ok\":true}", null, true);
        }
        boolean good = finishing || random.nextInt(15) > 0;
        return switch (of.kind) {
            case "run_plan" -> {
                Plot plan = Plots.plan(random, Plots.Size.SMALL);
                yield new Move.Complete(
                        step, attempt, tokens, good ? plan.document() : "{}", plan, good);
            }
            case "agent_plan" -> {
                Agent agent = spot.agent();
                Plot.Round round = Plots.round(random, finishing || agent.rounds > 3);
                String name = "r" + agent.rounds + "x" + agent.attempt + "t";
                String document = good ? round.document(name) : "{\"tasks\":1}";
                yield new Move.Complete(step, attempt, tokens, document, round, good);
            }
            default ->
                    good || !of.call.strict()
                            ? new Move.Complete(step, attempt, tokens, "{\"ok\":true}", null, true)
                            : new Move.Complete(step, attempt, tokens, "{}", null, false);
        };
    }

    private int tokens() {
        long most = player.asked.tokens();
        int usual = random.nextInt(3) == 0 ? 0 : random.nextInt(400);
        return random.nextInt(4) == 0 ? (int) (random.nextInt(100) * most / 250) : usual;
    }

    private Failure failure() {
        int retryAfter = random.nextInt(8) == 0 ? one(RETRY_AFTER) : 0;
        boolean partial = random.nextInt(15) == 0;
        if (random.nextInt(4) == 0) {
            return new Failure("HTTPError", one(STATUSES), retryAfter, partial);
        }
        String code = one(random.nextInt(3) > 0 ? Rules.RETRIED : Rules.FINAL);
        return new Failure(code, null, retryAfter, partial);
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
