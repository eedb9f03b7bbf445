package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Which state an item is in, and which it was in before, as its history shows it. A promotion
/// without a line in the history is no change here: the lease after it ends the wait.
///
/// @param word of the state, `backoff` for a wait after a failure, empty before the first event
/// @param sinceMs when it came there
/// @param before where it was before, null where it began
/// @param quiet how many events since then changed no state
public record TimeInState(String word, long sinceMs, @Nullable TimeInState before, int quiet) {
    public TimeInState(String word, long sinceMs, @Nullable TimeInState before) {
        this(word, sinceMs, before, 0);
    }

    /// Before an item began.
    public static final TimeInState NOWHERE = new TimeInState("", 0, null);

    private static final int AT = 1;
    private static final int EVENT = 2;
    private static final int FROM = 3;
    private static final int TO = 4;

    /// After one more event. Only the last two states are remembered.
    public TimeInState after(WorkEvent event, @Nullable WorkState from, WorkState to, long atMs) {
        return from == to
                ? new TimeInState(word, sinceMs, before, quiet + 1)
                : new TimeInState(
                        word(event.word(), to.word()), atMs, new TimeInState(word, sinceMs, null));
    }

    /// The last two states that a history tells of.
    public static TimeInState of(String history) {
        List<TimeInState> moves = new ArrayList<>(2);
        int end = history.length() - 1;
        int quiet = 0;
        while (end > 0 && moves.size() < 2) {
            int start = history.lastIndexOf('\n', end - 1) + 1;
            TimeInState move = move(history, start);
            if (move != null) {
                moves.add(move);
            } else if (moves.isEmpty()) {
                quiet++;
            }
            end = start - 1;
        }
        return switch (moves.size()) {
            case 0 -> NOWHERE;
            case 1 -> new TimeInState(moves.get(0).word, moves.get(0).sinceMs, NOWHERE, quiet);
            default ->
                    new TimeInState(moves.get(0).word, moves.get(0).sinceMs, moves.get(1), quiet);
        };
    }

    /// Null for a line that changes no state. The fields that are looked at are numbers and plain
    /// words, so that a comma is always the end of one.
    private static @Nullable TimeInState move(String history, int start) {
        var ends = new int[TO + 2];
        ends[0] = start;
        for (int i = 1; i < ends.length; i++) {
            ends[i] = history.indexOf(',', ends[i - 1] + 1);
        }
        String to = field(history, ends, TO);
        if (field(history, ends, FROM).equals(to)) {
            return null;
        }
        return new TimeInState(
                word(field(history, ends, EVENT), to),
                Long.parseLong(history, ends[AT] + 1, ends[AT + 1], 10),
                null);
    }

    private static String field(String history, int[] ends, int place) {
        int from = ends[place] + 1;
        int to = ends[place + 1];
        return history.charAt(from) == '"'
                ? history.substring(from + 1, to - 1)
                : history.substring(from, to);
    }

    private static String word(String event, String state) {
        return state.equals("waiting")
                        && switch (event) {
                            case "fail", "expire", "time_out", "retry" -> true;
                            default -> false;
                        }
                ? "backoff"
                : state;
    }
}
