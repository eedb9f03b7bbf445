package io.orchestrion.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// L-009: what happened to an account's tasks, as pages.
@Timeout(180)
class EventListTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    private Reply events(String query) {
        Reply reply = tasks.api().get("/v1/events?" + query);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static List<String> words(Reply reply) {
        var words = new ArrayList<String>();
        reply.at("/events").forEach(event -> words.add(event.get("event").asString()));
        return words;
    }

    private static List<String> ids(Reply reply) {
        var ids = new ArrayList<String>();
        reply.at("/events").forEach(event -> ids.add(event.get("id").asString()));
        return ids;
    }

    /// L-009.
    @Test
    void a_tasks_whole_life_is_told_in_the_doors_words() {
        String id = tasks.create("told", "\"maxAttempts\":2");
        tasks.claim("told");
        tasks.verb(id, "fail", "{\"retry_after_seconds\":5,\"lastFailureReason\":\"no luck\"}");
        server.clock().advance(Duration.ofSeconds(6));
        tasks.api().post("/v1/tasks/claim", "{\"type\":\"told\",\"workerId\":\"w7\"}");
        server.clock().advance(Duration.ofSeconds(301));
        server.sweepLeases();
        tasks.verb(id, "requeue");
        tasks.claim("told");
        tasks.verb(id, "fail");
        tasks.claim("told");
        tasks.verb(id, "complete");
        String other = tasks.create("told");
        tasks.verb(other, "cancel");
        Reply reply = events("");
        assertThat(words(reply))
                .containsExactly(
                        "created",
                        "claimed",
                        "retry_scheduled",
                        "claimed",
                        "dead_lettered",
                        "requeued",
                        "claimed",
                        "failed",
                        "claimed",
                        "completed",
                        "created",
                        "cancelled");
        JsonNode created = reply.at("/events/0");
        assertThat(created.get("fromStatus").isNull()).isTrue();
        assertThat(created.get("status").asString()).isEqualTo("pending");
        assertThat(created.get("taskId").asString()).isEqualTo(id);
        assertThat(created.get("type").asString()).isEqualTo("told");
        assertThat(created.get("at").asString()).endsWith("Z");
        assertThat(reply.text("/events/2/reason")).isEqualTo("no luck");
        assertThat(reply.text("/events/2/fromStatus")).isEqualTo("claimed");
        assertThat(reply.text("/events/3/workerId")).isEqualTo("w7");
        assertThat(reply.number("/events/3/attempt")).isEqualTo(2);
        assertThat(reply.text("/events/4/status")).isEqualTo("dead_letter");
        assertThat(reply.at("/hasMore").asBoolean()).isFalse();
    }

    /// A lease that ends with attempts left has a word of its own.
    @Test
    void an_expired_lease_is_told() {
        tasks.create("lapses");
        tasks.claim("lapses");
        server.clock().advance(Duration.ofSeconds(301));
        server.sweepLeases();
        assertThat(words(events(""))).containsExactly("created", "claimed", "lease_expired");
    }

    /// Every change that an item of this door can make has a word; the last one is for those that
    /// nobody thought of.
    @Test
    void every_change_of_the_lifecycle_has_a_word() {
        for (Profile profile : Profiles.ALL) {
            if (!profile.queue().equals(Profiles.TASKS.queue())) {
                continue;
            }
            for (var row : profile.lifecycle().rows()) {
                assertThat(TaskEvent.of(row.event(), row.to()))
                        .as(row.toString())
                        .isNotEqualTo(TaskEvent.CHANGED);
            }
        }
        assertThat(TaskEvent.of(WorkEvent.SUBMIT, WorkState.READY)).isEqualTo(TaskEvent.CREATED);
        assertThat(TaskEvent.of(WorkEvent.SUBMIT, WorkState.WAITING)).isEqualTo(TaskEvent.CREATED);
    }

    /// L-009: pages of any size are the same log, and a page at the end is empty and says where it
    /// is.
    @Test
    void pages_follow_each_other_without_gap_or_repeat() {
        for (int i = 0; i < 7; i++) {
            tasks.create("paged");
        }
        List<String> all = ids(events("limit=1000"));
        assertThat(all).hasSize(7).doesNotHaveDuplicates();
        for (int size : new int[] {1, 2, 3, 7}) {
            var read = new ArrayList<String>();
            Reply page = events("limit=" + size);
            read.addAll(ids(page));
            while (page.at("/hasMore").asBoolean()) {
                page = events("limit=" + size + "&after=" + page.text("/nextCursor"));
                read.addAll(ids(page));
            }
            assertThat(read).isEqualTo(all);
        }
        Reply end = events("after=" + all.getLast());
        assertThat(ids(end)).isEmpty();
        assertThat(end.text("/nextCursor")).isEqualTo(all.getLast());
        assertThat(ids(events("after=" + all.get(2)))).isEqualTo(all.subList(3, 7));
    }

    /// L-009: `now` is the end, from where only what comes is read.
    @Test
    void now_is_where_only_what_comes_is_read_from() {
        tasks.create("old");
        Reply now = events("after=now");
        assertThat(ids(now)).isEmpty();
        String next = tasks.create("new");
        Reply later = events("after=" + now.text("/nextCursor"));
        assertThat(later.text("/events/0/taskId")).isEqualTo(next);
        assertThat(ids(later)).hasSize(1);
    }

    @Test
    void filters_leave_out_the_rest_and_go_on_all_the_same() {
        String a = tasks.create("a");
        tasks.create("b");
        tasks.claim("a");
        tasks.claim("b");
        assertThat(words(events("type=a"))).containsExactly("created", "claimed");
        assertThat(words(events("event=claimed"))).containsExactly("claimed", "claimed");
        assertThat(ids(events("type=a&event=claimed"))).hasSize(1);
        Reply ofTask = events("taskId=" + a);
        assertThat(words(ofTask)).containsExactly("created", "claimed");
        assertThat(ids(events("taskId=" + UUID.randomUUID()))).isEmpty();
        assertThat(events("type=a&event=claimed").text("/agent_contract/next_actions/0/endpoint"))
                .endsWith("&type=a&event=claimed");
        // The place moves on past what was not wanted.
        Reply none = events("type=never");
        assertThat(ids(none)).isEmpty();
        assertThat(none.text("/nextCursor")).isEqualTo(ids(events("")).getLast());
        assertThat(ids(events("taskId=" + a + "&after=" + ids(ofTask).getFirst()))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "after=x",
                "after=NOW",
                "after=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "limit=0",
                "limit=1001",
                "waitSeconds=31",
                "waitSeconds=-1",
                "event=exploded",
                "taskId=7",
                "type="
            })
    void what_does_not_fit_is_refused_by_name(String query) {
        for (String path : new String[] {"/v1/events?", "/v1/events/stream?seconds=0&"}) {
            if (path.contains("stream")
                    && (query.startsWith("limit") || query.startsWith("wait"))) {
                continue;
            }
            Reply reply = tasks.api().get(path + query);
            assertThat(reply.status()).as(query).isEqualTo(400);
            assertThat(reply.error()).isEqualTo("invalid_request");
            assertThat(reply.text("/message")).contains(query.split("=")[0]);
        }
    }

    /// L-009: whoever waits is answered as soon as there is something.
    @Test
    void a_wait_ends_with_the_first_event() throws Exception {
        String cursor = events("after=now").text("/nextCursor");
        var waiting = CompletableFuture.supplyAsync(() -> events("waitSeconds=30&after=" + cursor));
        String id = tasks.create("awaited");
        Reply reply = waiting.get(25, TimeUnit.SECONDS);
        assertThat(reply.text("/events/0/taskId")).isEqualTo(id);
    }

    @Test
    void a_wait_for_a_type_is_not_ended_by_others() throws Exception {
        String cursor = events("after=now").text("/nextCursor");
        var waiting =
                CompletableFuture.supplyAsync(
                        () -> events("waitSeconds=30&type=mine&after=" + cursor));
        for (int i = 0; i < 5; i++) {
            tasks.create("other");
        }
        assertThat(waiting).isNotDone();
        String id = tasks.create("mine");
        assertThat(waiting.get(25, TimeUnit.SECONDS).text("/events/0/taskId")).isEqualTo(id);
    }

    @Test
    void a_wait_in_vain_ends_empty_after_its_time() {
        Reply reply = events("waitSeconds=1&after=now");
        assertThat(ids(reply)).isEmpty();
        assertThat(reply.text("/nextCursor")).isNotEmpty();
    }

    /// L-009: each account has a log of its own.
    @Test
    void another_accounts_events_are_never_seen() {
        TaskApi other = server.account();
        String theirs = other.create("theirs");
        String mine = tasks.create("mine");
        assertThat(events("").text("/events/0/taskId")).isEqualTo(mine);
        assertThat(ids(events(""))).hasSize(1);
        assertThat(ids(events("taskId=" + theirs))).isEmpty();
        assertThat(tasks.api().get("/v1/tasks/" + theirs + "/events").error())
                .isEqualTo("task_not_found");
        // A cursor says where, not whose.
        String cursor = other.api().get("/v1/events").text("/nextCursor");
        assertThat(ids(events("after=" + cursor))).hasSize(1);
    }

    /// L-009: of one task, in the same shape and at once.
    @Test
    void a_task_has_its_own_timeline() {
        String id = tasks.create("line");
        tasks.create("line");
        tasks.verb(id, "claim");
        tasks.verb(id, "complete");
        String path = "/v1/tasks/" + id + "/events";
        Reply all = tasks.api().get(path);
        assertThat(words(all)).containsExactly("created", "claimed", "completed");
        assertThat(all.at("/hasMore").asBoolean()).isFalse();
        Reply first = tasks.api().get(path + "?limit=1");
        assertThat(words(first)).containsExactly("created");
        assertThat(first.at("/hasMore").asBoolean()).isTrue();
        assertThat(words(tasks.api().get(path + "?after=" + first.text("/nextCursor"))))
                .containsExactly("claimed", "completed");
        assertThat(ids(all)).isEqualTo(ids(events("taskId=" + id)));
        for (String unknown : new String[] {UUID.randomUUID().toString(), "x"}) {
            assertThat(tasks.api().get("/v1/tasks/" + unknown + "/events").status()).isEqualTo(404);
        }
    }

    @Test
    void any_key_of_the_account_may_read() {
        tasks.create("seen");
        for (String scope : new String[] {"producer", "worker", "operator", "admin"}) {
            String key =
                    tasks.api()
                            .post("/v1/keys", "{\"name\":\"k\",\"scopes\":[\"" + scope + "\"]}")
                            .text("/apiKey");
            assertThat(ids(server.anonymous().withKey(key).get("/v1/events"))).hasSize(1);
        }
        assertThat(server.anonymous().get("/v1/events").status()).isEqualTo(401);
    }
}
