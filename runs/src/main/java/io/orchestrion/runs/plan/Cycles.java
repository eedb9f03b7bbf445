package io.orchestrion.runs.plan;

import java.util.ArrayList;
import java.util.List;

/// Finds cycles in time that grows with the number of edges only: plans are large, and come from
/// strangers.
final class Cycles {
    private static final int NEW = 0;
    private static final int OPEN = 1;
    private static final int DONE = 2;

    private final List<int[]> edges;
    private final int[] state;

    /// How many edges of a node were gone already.
    private final int[] gone;

    private List<Integer> found = List.of();

    private Cycles(List<int[]> edges) {
        this.edges = edges;
        state = new int[edges.size()];
        gone = new int[edges.size()];
    }

    /// The numbers of the nodes of one cycle, in order; empty if there is none.
    ///
    /// @param edges where each node leads, by its number
    static List<Integer> first(List<int[]> edges) {
        var cycles = new Cycles(edges);
        for (int i = 0; i < edges.size() && cycles.found.isEmpty(); i++) {
            if (cycles.state[i] == NEW) {
                cycles.walk(i);
            }
        }
        return cycles.found;
    }

    /// Without recursion: a chain may be as long as a plan.
    private void walk(int start) {
        var path = new ArrayList<Integer>();
        enter(path, start);
        while (!path.isEmpty() && found.isEmpty()) {
            int node = path.getLast();
            if (gone[node] == edges.get(node).length) {
                state[node] = DONE;
                path.removeLast();
                continue;
            }
            int next = edges.get(node)[gone[node]++];
            if (state[next] == NEW) {
                enter(path, next);
            } else if (state[next] == OPEN) {
                found = List.copyOf(path.subList(path.indexOf(next), path.size()));
            }
        }
    }

    private void enter(List<Integer> path, int node) {
        state[node] = OPEN;
        path.add(node);
    }
}
