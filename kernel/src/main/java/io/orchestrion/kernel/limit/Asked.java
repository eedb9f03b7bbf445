package io.orchestrion.kernel.limit;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which windows several requests ask for, and what the database's answer means to each request.
final class Asked {
    /// The order in which windows are locked, so that two transactions never wait for each other.
    /// By the texts of the ids, because Java and PostgreSQL order the ids themselves differently.
    private static final Comparator<Window> ORDER =
            Comparator.comparing((Window window) -> window.accountId().toString())
                    .thenComparing(Window::subject)
                    .thenComparing(Window::name);

    /// The mark of a request whose window another session holds.
    private static final int NOT_DECIDED = -1;

    /// A window and all that is asked of it.
    ///
    /// @param needed how much room all of it needs; a look needs room for one
    /// @param least the least that it holds for one of those who ask
    record Row(Window window, int wanted, int needed, int least) {
        private Row and(Ask ask) {
            return new Row(
                    window,
                    Math.addExact(wanted, ask.amount()),
                    Math.addExact(needed, Math.max(1, ask.amount())),
                    Math.min(least, ask.max()));
        }
    }

    /// @param request counted from 1
    record One(int request, int row, Ask ask) {}

    /// The answer of the database.
    ///
    /// @param before what was used of each row, null where another session holds it
    /// @param refused for each request which ask was refused, counted from 1; empty when all were
    ///     granted
    record Answer(List<@Nullable Integer> before, List<Integer> refused, List<Long> waitsMs) {
        boolean everybodyGotAll() {
            return refused.isEmpty();
        }
    }

    private final List<List<Ask>> requests;
    private final List<Row> rows;
    private final List<One> asks;

    Asked(List<List<Ask>> requests) {
        this.requests = requests;
        var byWindow = new HashMap<Window, Row>();
        for (List<Ask> request : requests) {
            for (Ask ask : request) {
                Row before = byWindow.get(ask.window());
                Row row = before == null ? new Row(ask.window(), 0, 0, ask.max()) : before;
                byWindow.put(ask.window(), row.and(ask));
            }
        }
        rows = byWindow.values().stream().sorted(Comparator.comparing(Row::window, ORDER)).toList();
        asks = numbered(requests, rows);
    }

    private static List<One> numbered(List<List<Ask>> requests, List<Row> rows) {
        Map<Window, Integer> places = new HashMap<>();
        rows.forEach(row -> places.put(row.window(), places.size()));
        var asks = new ArrayList<One>();
        for (int i = 0; i < requests.size(); i++) {
            for (Ask ask : requests.get(i)) {
                asks.add(new One(i + 1, places.getOrDefault(ask.window(), 0), ask));
            }
        }
        return asks;
    }

    List<Row> rows() {
        return rows;
    }

    List<One> asks() {
        return asks;
    }

    /// The outcome of each request. The database says what was used before all of them, and which
    /// of them were refused.
    List<Taken> taken(Answer answer) {
        int[] used = new int[rows.size()];
        for (int i = 0; i < used.length; i++) {
            Integer known = answer.before().get(i);
            used[i] = known == null ? 0 : known;
        }
        var taken = new ArrayList<Taken>();
        int place = 0;
        for (int i = 0; i < requests.size(); i++) {
            int verdict = answer.everybodyGotAll() ? 0 : answer.refused().get(i);
            List<One> mine = asks.subList(place, place + requests.get(i).size());
            place += mine.size();
            if (verdict == 0) {
                mine.forEach(one -> used[one.row()] += one.ask().amount());
            }
            taken.add(
                    verdict == NOT_DECIDED
                            ? Taken.HELD
                            : new Taken(
                                    mine.stream().map(one -> used[one.row()]).toList(),
                                    verdict == 0 ? null : asks.get(verdict - 1).ask(),
                                    answer.everybodyGotAll() ? 0 : answer.waitsMs().get(i)));
        }
        return taken;
    }
}
