package io.orchestrion.cli;

import io.orchestrion.sdk.Run;
import io.orchestrion.sdk.RunNode;
import io.orchestrion.sdk.RunStatus;
import io.orchestrion.sdk.RunTree;
import io.orchestrion.sdk.Runs;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Follows one run. At a terminal its tree is drawn in place, and drawn again with every look;
/// elsewhere each change is a line.
final class RunWatch {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    /// The most that the server gives at once.
    private static final int PAGE = 500;

    /// Of a larger run only the first nodes are told; `runs tree` shows all.
    private static final int PAGES_MAX = 4;

    /// A drawing that is higher than the terminal could not be drawn over.
    private static final int NODES_DRAWN = 18;

    private static final int NARROW = 80;

    private final Invocation of;
    private final Runs runs;
    private final String id;
    private final boolean live;
    private final Map<String, String> told = new HashMap<>();
    private String toldOfAll = "";
    private int drawn;

    RunWatch(Invocation of, String id) {
        this.of = of;
        this.id = id;
        runs = of.client().runs();
        live = of.screen().colour() && !of.json();
    }

    /// @return how it stood at the last look
    RunStatus follow(Duration within) {
        var last = new RunStatus[] {RunStatus.UNKNOWN};
        runs.await(
                id,
                within,
                run -> {
                    last[0] = run.status();
                    seen(run);
                    of.out().flush();
                });
        return last[0];
    }

    private void seen(Run run) {
        if (of.json()) {
            String answer = String.valueOf(of.lastAnswer().get());
            if (!answer.equals(toldOfAll)) {
                toldOfAll = answer;
                of.out().println(answer);
            }
            return;
        }
        var nodes = new ArrayList<RunNode>();
        boolean more = read(nodes);
        if (live) {
            draw(run, nodes, more);
        } else {
            nodes.forEach(this::tell);
            tell(run, nodes, more);
        }
    }

    /// @return whether there are more than were read
    private boolean read(List<RunNode> nodes) {
        String cursor = null;
        for (int page = 0; page < PAGES_MAX; page++) {
            RunTree tree = runs.tree(id, RunTree.FIRST.withLimit(PAGE).after(cursor));
            nodes.addAll(tree.nodes());
            cursor = tree.nextCursor();
            if (cursor == null) {
                return false;
            }
        }
        return true;
    }

    private void tell(RunNode node) {
        String stands = node.status() + " " + node.attempts();
        if (!stands.equals(told.put(node.id(), stands))) {
            print(
                    "  ".repeat(RunShown.depth(node) + 1)
                            + node.level()
                            + " "
                            + RunShown.name(node)
                            + "  "
                            + of.screen().ending(node.status(), RunShown.facts(node, id, of)));
        }
    }

    private void tell(Run run, List<RunNode> nodes, boolean more) {
        String stands = RunShown.status(run) + waits(run);
        if (stands.equals(toldOfAll)) {
            return;
        }
        toldOfAll = stands;
        long tokens = RunShown.tokens(nodes);
        String used =
                run.status().ended() ? "  " + tokens + " tokens  " + RunShown.credits(run) : "";
        print(
                "run  "
                        + of.screen().ending(run.status().word(), RunShown.status(run))
                        + used
                        + error(run));
        if (!waits(run).isEmpty()) {
            print("  waits for " + waits(run));
        }
        if (more) {
            print("  only its first parts are told: orchestrion runs tree " + id + " --all");
        }
    }

    private String waits(Run run) {
        return RunShown.waitsFor(run.waitsFor(), run.id(), of);
    }

    private static String error(Run run) {
        String error = run.lastError();
        return error == null
                ? ""
                : ": "
                        + Screen.clean(
                                (run.lastErrorCode() == null ? "" : run.lastErrorCode() + ", ")
                                        + error);
    }

    private void print(String text) {
        Instant now = of.surroundings().clock().instant();
        String time = CLOCK.format(now.atZone(of.surroundings().zone()));
        of.out().println(of.screen().faint(time) + "  " + text);
    }

    private void draw(Run run, List<RunNode> nodes, boolean more) {
        var frame = new StringBuilder();
        if (drawn > 0) {
            // Up to the first line of the last drawing, and away with all of it.
            frame.append("\u001b[").append(drawn).append("A\r\u001b[J");
        }
        List<String> lines = lines(run, nodes, more);
        lines.forEach(line -> frame.append(line).append("\n"));
        drawn = lines.size();
        of.out().print(frame);
    }

    private List<String> lines(Run run, List<RunNode> nodes, boolean more) {
        Screen screen = of.screen();
        var lines = new ArrayList<String>();
        lines.add(
                screen.ending(
                        run.status().word(),
                        shortened(RunShown.head(run, RunShown.tokens(nodes)) + error(run))));
        int from = Math.max(0, Math.min(nodes.size() - NODES_DRAWN, lastBegun(nodes) - 9));
        int to = Math.min(nodes.size(), from + NODES_DRAWN);
        if (from > 0) {
            lines.add(screen.faint("  … " + from + " before"));
        }
        for (RunNode node : nodes.subList(from, to)) {
            String text =
                    "  ".repeat(RunShown.depth(node) + 1)
                            + RunShown.mark(node)
                            + " "
                            + RunShown.name(node)
                            + "  "
                            + RunShown.facts(node, id, of);
            lines.add(screen.ending(node.status(), shortened(text)));
        }
        if (to < nodes.size() || more) {
            lines.add(
                    screen.faint(
                            "  … " + (nodes.size() - to) + (more ? " and more" : "") + " after"));
        }
        if (!waits(run).isEmpty()) {
            lines.add(shortened("  waits for " + waits(run)));
        }
        return lines;
    }

    private static int lastBegun(List<RunNode> nodes) {
        int last = 0;
        for (int i = 0; i < nodes.size(); i++) {
            last = nodes.get(i).startedAt() == null ? last : i;
        }
        return last;
    }

    /// A line that the terminal breaks would count as two.
    private String shortened(String text) {
        String columns = of.surroundings().variable("COLUMNS", "");
        int width = columns.matches("[0-9]{2,4}") ? Integer.parseInt(columns) : NARROW;
        return Screen.shortened(text, Math.max(20, width - 1));
    }
}
