package io.orchestrion.simulator.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Holds a whole log against what it promises: each event once, each task's events in the order in
/// which they happened and without a gap, the same for every reader.
final class LogCheck {
    /// More of a kind would only be more of the same.
    private static final int TOLD_AT_MOST = 20;

    private final List<String> violations = new ArrayList<>();
    private int more;

    /// @param log all of it, read at the end
    /// @param followed what readers saw who read it while it grew
    /// @param acknowledged tasks whose creation was answered, and what was answered last of each
    static List<String> violations(
            List<Entry> log, List<List<String>> followed, Map<UUID, String> acknowledged) {
        var check = new LogCheck();
        check.eachOnce(log);
        check.inOrder(log, acknowledged);
        for (int i = 0; i < followed.size(); i++) {
            check.sameFor(i + 1, log, followed.get(i));
        }
        if (check.more > 0) {
            check.violations.add("and " + check.more + " more");
        }
        return check.violations;
    }

    private void violated(String words) {
        if (violations.size() < TOLD_AT_MOST) {
            violations.add(words);
        } else {
            more++;
        }
    }

    private void eachOnce(List<Entry> log) {
        Set<String> seen = new HashSet<>();
        for (Entry entry : log) {
            if (!seen.add(entry.id())) {
                violated("the event " + entry.id() + " is in the log twice");
            }
        }
    }

    /// A task begins with `created`, and each event begins in the status where the one before it
    /// ended: an event that is missing or misplaced breaks the chain.
    private void inOrder(List<Entry> log, Map<UUID, String> acknowledged) {
        Map<UUID, Entry> last = new HashMap<>();
        for (Entry entry : log) {
            Entry before = last.put(entry.task(), entry);
            String from = before == null ? null : before.to();
            boolean begins = before == null == entry.event().equals("created");
            boolean counts = before == null || entry.attempt() >= before.attempt();
            if (!begins
                    || !counts
                    || (entry.from() == null ? from != null : !entry.from().equals(from))) {
                violated(
                        "task "
                                + entry.task()
                                + ": "
                                + entry.event()
                                + " of attempt "
                                + entry.attempt()
                                + " goes from "
                                + entry.from()
                                + ", but what is told before it is "
                                + (before == null ? "nothing" : before.event() + " to " + from));
            }
        }
        acknowledged.forEach(
                (task, status) -> {
                    Entry end = last.get(task);
                    if (end == null) {
                        violated("task " + task + " was answered and is not in the log");
                    } else if (!end.to().equals(status)) {
                        violated(
                                "task "
                                        + task
                                        + " is "
                                        + status
                                        + ", but the log ends with "
                                        + end.event()
                                        + " to "
                                        + end.to());
                    }
                });
    }

    private void sameFor(int reader, List<Entry> log, List<String> seen) {
        for (int i = 0; i < Math.max(log.size(), seen.size()); i++) {
            String wanted = i < log.size() ? log.get(i).id() : "nothing";
            String was = i < seen.size() ? seen.get(i) : "nothing";
            if (!wanted.equals(was)) {
                violated(
                        "reader "
                                + reader
                                + " saw "
                                + was
                                + " in place "
                                + i
                                + ", where the log has "
                                + wanted);
                return;
            }
        }
    }
}
