package io.orchestrion.runs.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.check.RunsInvariants;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.testkit.TestKernel;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/// A server is killed before and after each commit of the engine of runs. Another one goes on, and
/// what becomes of the runs is as if nothing had happened. All places are tried with
/// `-Dorchestrion.crash.places=.*`.
class RunCrashTest {
    private static final String BEFORE = ".before-commit";
    private static final String AFTER = ".after-commit";

    /// Between commits: an object without a row is removed.
    private static final List<String> OTHERS =
            List.of("artifact.orphan-found", "artifact.orphan-removed");

    private static final int KILLED = 137;

    /// Each kill takes the start of a program, so that a usual run tries those that move money,
    /// spawn, or make and remove objects.
    private static final @Nullable String PLACES = System.getProperty("orchestrion.crash.places");

    private static final Set<Commit> MAIN =
            EnumSet.of(
                    Commit.START,
                    Commit.PICK_UP,
                    Commit.GO_ON,
                    Commit.RETRY,
                    Commit.STEP_BEGUN,
                    Commit.STEP_ENDED,
                    Commit.PLANNED,
                    Commit.REPLAN,
                    Commit.SETTLE,
                    Commit.AGAIN,
                    Commit.UPLOAD_BEGUN,
                    Commit.UPLOAD_FINISHED,
                    Commit.ARTIFACT_EXPIRED,
                    Commit.OBJECT_REMOVED);

    private final TestKernel test = new TestKernel(CrashNode::options);
    @TempDir private Path folder;

    @AfterEach
    void close() {
        test.close();
    }

    ///
    @Test
    @Timeout(3_600)
    void a_server_that_is_killed_at_any_commit_leaves_nothing_behind()
            throws IOException, InterruptedException, SQLException {
        var node = new CrashNode(test.kernel(), folder);
        Map<Stories, String> whole = new LinkedHashMap<>();
        Map<String, Stories> places = new LinkedHashMap<>();
        // The shortest first, as each place is tried in the first story that meets it.
        List<Stories> stories =
                Stream.of(Stories.values())
                        .sorted(Comparator.comparing(story -> story.acts().size()))
                        .toList();
        for (Stories story : stories) {
            var hit = new LinkedHashSet<String>();
            all().forEach(place -> test.failpoints().arm(place, () -> hit.add(place)));
            var player = player(node, test.account());
            player.play(story.acts(), 0, false);
            all().forEach(test.failpoints()::disarm);
            whole.put(story, text(player));
            hit.forEach(place -> places.putIfAbsent(place, story));
        }
        assertThat(places.keySet())
                .as("all that the engine commits is in a story")
                .containsExactlyInAnyOrderElementsOf(all().toList());

        var wrong = new ArrayList<String>();
        List<String> tried = places.keySet().stream().filter(RunCrashTest::isTried).toList();
        KilledNode next = KilledNode.started(test.database().options(), folder);
        for (String place : tried) {
            Stories story = places.get(place);
            try (KilledNode killed = next) {
                next = KilledNode.started(test.database().options(), folder);
                String text = killed(node, killed, place, story);
                if (!text.equals(whole.get(story))) {
                    wrong.add(place + " of " + story + ":\n" + text);
                }
            } catch (AssertionError | IllegalStateException e) {
                wrong.add(place + " of " + story + ": " + e);
            }
        }
        next.close();
        assertThat(tried).hasSizeGreaterThanOrEqualTo(PLACES == null ? 2 * MAIN.size() : 1);
        assertThat(wrong).as("as without a kill: %s", whole).isEmpty();
        assertThat(RunsInvariants.violations(test.kernel().database())).isEmpty();
        node.close();
    }

    private static boolean isTried(String place) {
        return PLACES == null
                ? MAIN.stream().anyMatch(each -> place.startsWith(each.word() + "."))
                : place.matches(PLACES);
    }

    private static Stream<String> all() {
        return Stream.concat(
                Stream.of(Commit.values())
                        .flatMap(each -> Stream.of(each.word() + BEFORE, each.word() + AFTER)),
                OTHERS.stream());
    }

    private Player player(CrashNode node, UUID account) {
        return new Player(node, account, test.clock(), _ -> {});
    }

    /// What becomes of the story when another node goes on after the kill.
    private String killed(CrashNode node, KilledNode child, String place, Stories story)
            throws IOException, InterruptedException {
        UUID account = test.account();
        List<String> said = child.play(story, place, account, test.clock().aheadMillis());
        assertThat(child.exit()).as(place + " was met").isEqualTo(KILLED);
        Player player = player(node, account);
        int act = 0;
        for (String line : said) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "act" -> act = Integer.parseInt(words[1]);
                case "ahead" ->
                        test.clock()
                                .advance(
                                        Duration.ofMillis(
                                                Long.parseLong(words[1])
                                                        - test.clock().aheadMillis()));
                case "held" ->
                        player.holds(
                                words[1],
                                new Player.Held(
                                        UUID.fromString(words[2]), UUID.fromString(words[3])));
                case "reported" -> player.forgets(words[1]);
                default -> throw new AssertionError(line);
            }
        }
        player.play(story.acts(), act, true);
        return text(player);
    }

    /// All that there is in the end but times, ids and lost attempts.
    private String text(Player player) {
        UUID account = player.account;
        var lines = new ArrayList<String>();
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', name, status, attempt_number, agent_count,"
                            + " agents_open, steps_in_flight, replan_count, escalated,"
                            + " trim_scale(credits_reserved), trim_scale(credits_charged),"
                            + " trim_scale(credits_refunded), trim_scale(credits_held), driver_id"
                            + " is null, deleted_ms is null) from run where account_id = ? order by"
                            + " name",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', r.name, t.number, t.from_status, t.to_status) from"
                            + " run_transition t join run r on r.account_id = t.account_id and r.id"
                            + " = t.run_id where t.account_id = ? order by r.name, t.number",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', a.attempt_number, a.role, a.subtask, a.status,"
                            + " a.superseded) from run_agent a join run r on r.account_id ="
                            + " a.account_id and r.id = a.run_id where a.account_id = ? order by"
                            + " r.name, a.attempt_number, a.plan_version, a.role,"
                            + " a.sequence_number",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', s.name, s.status) from run_step s where s.account_id"
                                + " = ? order by s.id",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', seq, transaction_type, trim_scale(amount)) from"
                                + " credit_entry where account_id = ? order by seq",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', trim_scale(balance), trim_scale(reserved)) from"
                                + " credit_balance where account_id = ?",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', 'item', kind, state) from work where account_id = ?"
                                + " and state not in ('succeeded', 'failed', 'cancelled', 'dead')",
                        account));
        lines.addAll(
                player.texts(
                        "select concat_ws(' ', 'notice', status) from run_ticket_notice where"
                                + " account_id = ?",
                        account));
        lines.add(player.objects() + " objects");
        return String.join("\n", lines);
    }
}
