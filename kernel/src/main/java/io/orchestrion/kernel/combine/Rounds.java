package io.orchestrion.kernel.combine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/// Carries out several requests in as few rounds as possible. Requests that share something, such
/// as an item, are in different rounds, in the order in which they came. There are never more
/// rounds than requests, because the first request that is left shares nothing with any before it.
public final class Rounds {
    private Rounds() {}

    /// @param <E> what it may throw
    public interface Body<Q, A, E extends Exception> {
        List<A> run(List<Q> round) throws E;
    }

    /// @param shares what no other request of the same round may have. Values of different kinds
    ///     must not be equal: the same number can be the id of an item and of a claim
    public static <Q, A, E extends Exception> List<A> run(
            List<Q> requests, Function<Q, ? extends Collection<?>> shares, Body<Q, A, E> body)
            throws E {
        var answers = new TreeMap<Integer, A>();
        List<Integer> left = places(requests.size());
        while (!left.isEmpty()) {
            var seen = new HashSet<Object>();
            var round = new ArrayList<Integer>();
            var later = new ArrayList<Integer>();
            for (int place : left) {
                Collection<?> mine = shares.apply(requests.get(place));
                (Collections.disjoint(seen, mine) ? round : later).add(place);
                // Also what a postponed request shares counts, so that no later request overtakes
                // it.
                seen.addAll(mine);
            }
            if (round.isEmpty()) {
                throw new IllegalStateException("no request of " + left.size() + " has its turn");
            }
            put(answers, round, body.run(round.stream().map(requests::get).toList()));
            left = later;
        }
        return List.copyOf(answers.values());
    }

    private static List<Integer> places(int count) {
        var places = new ArrayList<Integer>(count);
        for (int i = 0; i < count; i++) {
            places.add(i);
        }
        return places;
    }

    private static <A> void put(TreeMap<Integer, A> answers, List<Integer> places, List<A> made) {
        if (places.size() != made.size()) {
            throw new IllegalStateException(
                    made.size() + " answers for " + places.size() + " requests");
        }
        for (int i = 0; i < places.size(); i++) {
            answers.put(places.get(i), made.get(i));
        }
    }
}
