package io.orchestrion.orchestrations.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.orchestrations.model.Nodes.Node;
import io.orchestrion.orchestrations.model.Story.Act;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A node is lost before or after any commit of the engine: the transaction never was, or its
/// answer got lost. Another node goes on, and the execution ends as if nothing had happened.
class CrashWindowsTest {
    private static final String BEFORE = ".before-commit";
    private static final String AFTER = ".after-commit";

    private static final List<String> LANES =
            List.of("pool", "claim", "holder", "settle", "execution-create-keyed");

    /// The first act writes a definition, of which there are two when it is written twice.
    private static final int FROM = 1;

    /// Between two acts, so that what one of them makes is older than what the next one does.
    private static final long STEP_MS = 1000;

    /// Where the stories part.
    private static final int APPROVAL = 9;

    private final Nodes nodes = new Nodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    /// E-192, E-193, E-184: create, dispatch, pause, resume, wait, approve, complete.
    @Test
    void an_execution_that_succeeds_does_so_wherever_a_node_is_lost() {
        walk(Story::approved, FROM, "succeeded restarts=1 compensated=false");
    }

    /// E-192, E-193: expire, fail, compensate, retry, reprocess, cancel, mark.
    @Test
    void an_execution_that_is_compensated_is_so_wherever_a_node_is_lost() {
        walk(Story::compensated, APPROVAL, "canceled restarts=4 compensated=true");
    }

    /// E-192, E-193: reject, resolve, close.
    @Test
    void an_execution_that_is_refused_is_so_wherever_a_node_is_lost() {
        walk(Story::refused, APPROVAL, "failed restarts=1 compensated=false reviewed=true");
    }

    /// E-147, E-184, E-192, E-193: the node that makes a call and sends a notice is lost in any of
    /// the transactions for it: the claim, the two of the notice itself, the report.
    @Test
    void a_notice_is_sent_and_recorded_wherever_a_node_is_lost() {
        var whole = new Story(nodes);
        List<Act> all = Story.approved(whole);
        List<Map<String, Integer>> commits = all.stream().map(this::commits).toList();
        assertThat(whole.arrived).hasSize(2).allSatisfy((_, times) -> assertThat(times).isOne());
        int at = IntStream.range(0, all.size()).filter(i -> all.get(i).loses()).sum();
        String told = whole.endedAs();
        for (var place : commits.get(at).entrySet()) {
            for (int commit = 1; commit <= place.getValue(); commit++) {
                for (String when : List.of(BEFORE, AFTER)) {
                    var story = new Story(nodes);
                    play(Story.approved(story), at, place.getKey() + when, commit);
                    String where = place.getKey() + when + " " + commit;
                    assertThat(story.endedAs()).as(where).isEqualTo(told);
                    assertThat(story.notices()).as(where).containsExactly("sent");
                    // Under one key each. Nobody knows of a call whose record is not there.
                    assertThat(story.arrived.keySet()).as(where).hasSize(2);
                    assertThat(story.arrived.values()).as(where).allMatch(times -> times <= 2);
                    if (place.getKey().equals("settle")) {
                        // The notice had its record before its report, so it was not sent again.
                        assertThat(story.arrived.get(story.noticeKey())).as(where).isOne();
                    }
                }
            }
        }
    }

    /// @param from the first act that breaks
    private void walk(Function<Story, List<Act>> acts, int from, String wanted) {
        var whole = new Story(nodes);
        List<Act> all = acts.apply(whole);
        List<Map<String, Integer>> commits = all.stream().map(this::commits).toList();
        String text = whole.text();
        assertThat(text).as("without any break").startsWith("execution " + wanted);
        for (int at = from; at < all.size(); at++) {
            Act act = all.get(at);
            if (act.loses()) {
                // A call that nobody knows the end of is made again, which the history shows.
                continue;
            }
            for (var place : commits.get(at).entrySet()) {
                for (int commit = 1; commit <= place.getValue(); commit++) {
                    for (String when : List.of(BEFORE, AFTER)) {
                        var story = new Story(nodes);
                        play(acts.apply(story), at, place.getKey() + when, commit);
                        String where = act.name() + ": " + place.getKey() + when + " " + commit;
                        assertThat(story.text()).as(where).isEqualTo(text);
                    }
                }
            }
        }
    }

    /// Does an act, and counts its commits by place.
    private Map<String, Integer> commits(Act act) {
        Node node = nodes.node(false);
        var hits = new ConcurrentHashMap<String, Integer>();
        for (String place : act.places()) {
            node.failpoints().arm(place + BEFORE, () -> hits.merge(place, 1, Integer::sum));
        }
        nodes.advance(STEP_MS);
        act.body().accept(node);
        act.places().forEach(place -> node.failpoints().disarm(place + BEFORE));
        assertThat(hits).as(act.name()).containsOnlyKeys(act.places());
        return hits;
    }

    private void play(List<Act> acts, int at, String place, int commit) {
        for (int i = 0; i < acts.size(); i++) {
            nodes.advance(STEP_MS);
            if (i == at) {
                breaking(acts.get(i), place, commit);
            }
            acts.get(i).body().accept(nodes.node(i >= at));
        }
    }

    private void breaking(Act act, String place, int commit) {
        Node lost = nodes.node(false);
        var hits = new AtomicInteger();
        var gone = new AtomicBoolean();
        for (String lane : LANES) {
            String before = lane + BEFORE;
            lost.failpoints().arm(before, () -> throwIf(gone.get(), before));
        }
        lost.failpoints()
                .arm(
                        place,
                        () -> {
                            // From its first breakdown on the node is gone.
                            gone.compareAndSet(false, hits.incrementAndGet() >= commit);
                            throwIf(gone.get(), place);
                        });
        try {
            act.body().accept(lost);
        } catch (Failpoints.Injected | StoreException e) {
            // Nobody is told.
        }
        // What it began itself is lost with it, and not when it is back.
        nodes.awaitCalls(lost);
        LANES.forEach(lane -> lost.failpoints().disarm(lane + BEFORE));
        lost.failpoints().disarm(place);
        assertThat(hits.get()).as(act.name() + place).isGreaterThanOrEqualTo(commit);
    }

    private static void throwIf(boolean gone, String place) {
        if (gone) {
            throw new Failpoints.Injected(place);
        }
    }
}
