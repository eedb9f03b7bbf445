package io.orchestrion.orchestrations.definition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The ways between numbered steps. Number `steps` is the end of an execution that succeeded.
final class Ways {
    static final int NONE = -1;

    private final List<BitSet> next = new ArrayList<>();
    private final List<BitSet> withoutResult = new ArrayList<>();

    Ways(int steps) {
        for (int i = 0; i <= steps; i++) {
            next.add(new BitSet());
            withoutResult.add(new BitSet());
        }
    }

    void add(int from, int to, boolean hasResult) {
        next.get(from).set(to);
        if (!hasResult) {
            withoutResult.get(from).set(to);
        }
    }

    /// What can be reached, the start included.
    ///
    /// @param failing a step that is left only on ways on which it has no result
    BitSet from(int start, int failing) {
        var reached = new BitSet();
        reached.set(start);
        walk(reached, start, failing);
        return reached;
    }

    /// What can be reached over one way or more.
    BitSet after(int step) {
        var reached = new BitSet();
        walk(reached, step, NONE);
        return reached;
    }

    private void walk(BitSet reached, int start, int failing) {
        var open = new ArrayDeque<Integer>();
        open.add(start);
        while (!open.isEmpty()) {
            int step = open.remove();
            BitSet on = (BitSet) (step == failing ? withoutResult : next).get(step).clone();
            on.andNot(reached);
            reached.or(on);
            on.stream().forEach(open::add);
        }
    }

    /// Cycles that have no step in common, so that each is a place to correct.
    List<List<Integer>> cycles() {
        var cycles = new ArrayList<List<Integer>>();
        var left = new BitSet();
        left.set(0, next.size());
        peel(left);
        while (!left.isEmpty()) {
            List<Integer> cycle = cycle(left);
            cycles.add(cycle);
            cycle.forEach(left::clear);
            peel(left);
        }
        return cycles;
    }

    /// Takes away what leads nowhere among those that are left, until each leads on.
    private void peel(BitSet left) {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = left.nextSetBit(0); i >= 0; i = left.nextSetBit(i + 1)) {
                if (!next.get(i).intersects(left)) {
                    left.clear(i);
                    changed = true;
                }
            }
        }
    }

    /// Each that is left leads to another, so going on has to come back.
    private List<Integer> cycle(BitSet left) {
        var path = new ArrayList<Integer>();
        var seen = new BitSet();
        int step = left.nextSetBit(0);
        while (!seen.get(step)) {
            seen.set(step);
            path.add(step);
            var on = (BitSet) next.get(step).clone();
            on.and(left);
            step = on.nextSetBit(0);
        }
        return List.copyOf(path.subList(path.indexOf(step), path.size()));
    }
}
