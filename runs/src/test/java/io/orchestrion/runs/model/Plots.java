package io.orchestrion.runs.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Random plans, and random runs that ask for them.
final class Plots {
    private static final List<String> MODES = List.of("fail-fast", "continue", "retry");
    private static final List<String> PARALLEL = List.of("sequential", "parallel", "dag");
    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;
    private static final long POOR = 600_000;
    private static final long TIGHT = 300;

    /// As the contract has them.
    static final Plot.Times USUAL =
            new Plot.Times(
                    DAY,
                    DAY,
                    7 * DAY,
                    5 * MINUTE,
                    DAY,
                    6 * 60 * MINUTE,
                    60 * MINUTE,
                    MINUTE / 2,
                    10 * MINUTE);

    enum Size {
        SMALL,
        WIDE,
        MANY
    }

    private final Random random;
    private final Size size;

    private Plots(Random random, Size size) {
        this.random = random;
        this.size = size;
    }

    static Plot plan(Random random, Size size) {
        return new Plots(random, size).plan();
    }

    /// One agent with one step.
    static Plot one(String tool) {
        var call = new Plot.Call(tool, 0, 0, 0, false, List.of());
        var job = new Plot.Job("fail-fast", "sequential", List.of(), List.of(call));
        return new Plot(List.of(new Plot.Worker("fail-fast", "sequential", List.of(job))));
    }

    static Plot.Round round(Random random, boolean last) {
        var plots = new Plots(random, Size.SMALL);
        List<Plot.Job> tasks = plots.tasks("sequential", last ? 1 : 2);
        return new Plot.Round(tasks, !last && !tasks.isEmpty() && random.nextInt(3) == 0);
    }

    static Plot.Asked asked(Random random, boolean poor) {
        int kind = random.nextInt(20);
        boolean tight = !poor && kind == 0;
        Size size = kind == 1 ? Size.MANY : kind < 5 ? Size.WIDE : Size.SMALL;
        boolean fixed = tight || size != Size.SMALL || random.nextInt(5) < 3;
        Plot plan = fixed ? plan(random, size) : null;
        if (tight && plan != null) {
            plan = new Plot(List.of(tightly(random, plan.agents().getFirst())));
        }
        return new Plot.Asked(
                plan,
                size == Size.MANY ? "continue" : of(random, MODES),
                1 + random.nextInt(3),
                random.nextInt(3),
                poor ? POOR : tight ? TIGHT : 100_000,
                random.nextInt(4) == 0,
                poor,
                times(random));
    }

    /// Steps that ask for much of the little that there is.
    private static Plot.Worker tightly(Random random, Plot.Worker agent) {
        return new Plot.Worker(
                agent.mode(),
                agent.parallel(),
                agent.tasks().stream()
                        .map(
                                task ->
                                        new Plot.Job(
                                                task.mode(),
                                                task.parallel(),
                                                task.after(),
                                                task.steps().stream()
                                                        .map(
                                                                step ->
                                                                        new Plot.Call(
                                                                                step.tool(),
                                                                                step.attempts(),
                                                                                50
                                                                                        + random
                                                                                                .nextInt(
                                                                                                        150),
                                                                                step.timeout(),
                                                                                step.strict(),
                                                                                step.after()))
                                                        .toList()))
                        .toList());
    }

    private static Plot.Times times(Random random) {
        Supplier<Boolean> some = () -> random.nextInt(5) == 0;
        return new Plot.Times(
                some.get() ? 2 * MINUTE : DAY,
                some.get() ? 10 * MINUTE : DAY,
                some.get() ? 5 * MINUTE : 7 * DAY,
                some.get() ? MINUTE : 5 * MINUTE,
                some.get() ? MINUTE : DAY,
                some.get() ? 5 * MINUTE : 6 * 60 * MINUTE,
                some.get() ? 2 * MINUTE : 60 * MINUTE,
                some.get() ? 2 * MINUTE : 30_000,
                some.get() ? MINUTE / 2 : 10 * MINUTE);
    }

    private static <T> T of(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private <T> T of(List<T> list) {
        return of(random, list);
    }

    private Plot plan() {
        int agents = size != Size.SMALL ? 1 : 1 + Math.max(0, random.nextInt(6) - 2);
        return new Plot(Stream.generate(this::worker).limit(agents).toList());
    }

    private Plot.Worker worker() {
        String parallel = size == Size.SMALL ? of(PARALLEL) : "parallel";
        if (size == Size.SMALL && random.nextInt(6) == 0) {
            return new Plot.Worker(of(MODES), parallel, List.of());
        }
        int most =
                switch (size) {
                    case SMALL -> 3;
                    case WIDE -> 8;
                    case MANY -> 14;
                };
        List<Plot.Job> tasks = tasks(parallel, most);
        if (tasks.isEmpty()) {
            tasks = List.of(task(List.of()));
        }
        return new Plot.Worker(size == Size.MANY ? "continue" : of(MODES), parallel, tasks);
    }

    private List<Plot.Job> tasks(String parallel, int most) {
        int count = size == Size.SMALL ? random.nextInt(most + 1) : most;
        var tasks = new ArrayList<Plot.Job>();
        for (int i = 0; i < count; i++) {
            tasks.add(task(parallel.equals("dag") ? earlier(i) : List.of()));
        }
        return tasks;
    }

    private List<Integer> earlier(int place) {
        var after = new ArrayList<Integer>();
        for (int i = 0; i < place; i++) {
            if (random.nextInt(3) == 0) {
                after.add(i);
            }
        }
        return after;
    }

    private Plot.Job task(List<Integer> after) {
        String parallel = of(PARALLEL);
        int count =
                size == Size.WIDE && random.nextInt(3) == 0
                        ? 5
                        : 1 + random.nextInt(2) + random.nextInt(4) / 3;
        var steps = new ArrayList<Plot.Call>();
        for (int i = 0; i < (size == Size.MANY ? 1 : count); i++) {
            steps.add(
                    new Plot.Call(
                            of(List.of("ta", "tb", "tc")),
                            size == Size.MANY ? 1 : random.nextInt(5) == 0 ? random.nextInt(5) : 0,
                            random.nextInt(6) == 0 ? 1 + random.nextInt(2_000) : 0,
                            random.nextInt(8) == 0 ? 70_000 : 0,
                            random.nextInt(4) == 0,
                            parallel.equals("sequential") ? List.of() : earlier(i)));
        }
        return new Plot.Job(of(MODES), parallel, after, steps);
    }
}
