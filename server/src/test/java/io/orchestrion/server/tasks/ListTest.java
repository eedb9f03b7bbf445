package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

class ListTest {
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

    private static List<String> ids(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.at("/tasks").values().stream().map(task -> task.get("id").asString()).toList();
    }

    /// Follows nextCursor to the end.
    private List<String> allPages(String query) {
        var all = new ArrayList<String>();
        String cursor = "";
        do {
            String from = cursor.isEmpty() ? "" : "&cursor=" + cursor;
            Reply page = tasks.api().get("/v1/tasks?" + query + from);
            all.addAll(ids(page));
            cursor = page.text("/nextCursor");
        } while (!cursor.isEmpty());
        return all;
    }

    /// T-023, T-037.
    @Test
    void an_account_without_tasks_has_an_empty_list() {
        Reply empty = tasks.api().get("/v1/tasks");
        assertThat(ids(empty)).isEmpty();
        assertThat(empty.at("/nextCursor").isNull()).isTrue();
    }

    /// T-023, T-037.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void a_status_filters_the_list(TaskStatus wanted) {
        String only = "";
        for (TaskStatus status : TaskStatus.values()) {
            String id = Requests.task(tasks, status);
            only = status == wanted ? id : only;
        }
        Reply filtered = tasks.api().get("/v1/tasks?status=" + wanted.word());
        assertThat(ids(filtered)).containsExactly(only);
        assertThat(filtered.text("/tasks/0/status")).isEqualTo(wanted.word());
        assertThat(ids(tasks.api().get("/v1/tasks"))).hasSize(TaskStatus.values().length);
    }

    /// T-037: what waits for its time is pending too.
    @Test
    void a_task_that_waits_for_its_retry_is_listed_as_pending() {
        String id = tasks.create("again");
        tasks.claim("again");
        tasks.verb(id, "fail", "{\"retry_after_seconds\":60}");
        assertThat(ids(tasks.api().get("/v1/tasks?status=pending"))).containsExactly(id);
    }

    /// T-037.
    @Test
    void a_type_filters_the_list_and_joins_with_the_status() {
        String first = tasks.create("a");
        String second = tasks.create("a");
        tasks.create("b");
        tasks.verb(second, "cancel");
        assertThat(ids(tasks.api().get("/v1/tasks?type=a"))).containsExactly(second, first);
        assertThat(ids(tasks.api().get("/v1/tasks?type=a&status=pending"))).containsExactly(first);
        assertThat(ids(tasks.api().get("/v1/tasks?type=c"))).isEmpty();
        assertThat(ids(tasks.api().get("/v1/tasks?type=A"))).isEmpty();
    }

    /// T-037: 50 unless told, 100 at the most, 1 at the least.
    @Test
    void the_limit_is_kept_and_has_a_default() {
        List<String> made =
                Parallel.run(8, _ -> () -> new ArrayList<>(createMany(13))).stream()
                        .flatMap(List::stream)
                        .toList();
        Reply standard = tasks.api().get("/v1/tasks");
        assertThat(ids(standard)).hasSize(50);
        assertThat(standard.text("/nextCursor")).isNotEmpty();
        assertThat(ids(tasks.api().get("/v1/tasks?limit=100"))).hasSize(100);
        assertThat(ids(tasks.api().get("/v1/tasks?limit=1"))).hasSize(1);
        for (int limit : new int[] {1, 7, 52, 100}) {
            assertThat(allPages("limit=" + limit)).hasSize(104).hasSameElementsAs(made);
        }
    }

    private List<String> createMany(int count) {
        var made = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            made.add(tasks.create("many"));
        }
        return made;
    }

    /// T-037: a page that ends exactly at the end says so.
    @Test
    void the_last_page_has_no_cursor_even_when_it_is_full() {
        createMany(4);
        Reply first = tasks.api().get("/v1/tasks?limit=2");
        Reply second = tasks.api().get("/v1/tasks?limit=2&cursor=" + first.text("/nextCursor"));
        assertThat(ids(second)).hasSize(2);
        assertThat(second.at("/nextCursor").isNull()).isTrue();
    }

    /// T-037.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=101",
                "limit=-1",
                "limit=1.5",
                "limit=ten",
                "limit=",
                "limit=99999999999999999999",
                "limit=1&limit=2",
                "status=",
                "status=done",
                "status=PENDING",
                "status=pending,claimed",
                "status=ready",
                "status=pending&status=claimed",
                "type=",
                "type=a.b",
                "type=%27or%201=1",
                "cursor=",
                "cursor=x",
                "cursor=%21%21",
                "cursor=MTo",
                "cursor=MTowMDAwMDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDA=",
                "a=%00"
            })
    void what_the_list_does_not_know_is_refused(String query) {
        Reply refused = tasks.api().get("/v1/tasks?" + query);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
    }

    /// T-037: a type as long as one can be, and one longer.
    @Test
    void a_type_to_filter_by_is_as_long_as_a_type() {
        assertThat(ids(tasks.api().get("/v1/tasks?type=" + "t".repeat(100)))).isEmpty();
        assertThat(tasks.api().get("/v1/tasks?type=" + "t".repeat(101)).status()).isEqualTo(400);
    }

    /// T-037: a cursor is ours or it is nothing.
    @Test
    void a_cursor_that_was_changed_is_refused() {
        createMany(2);
        String cursor = tasks.api().get("/v1/tasks?limit=1").text("/nextCursor");
        String decoded =
                new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
        for (String changed :
                List.of(
                        cursor.substring(1),
                        cursor.substring(0, cursor.length() - 1),
                        cursor + "A",
                        cursor + "=",
                        cursor + cursor,
                        encoded("2" + decoded.substring(1)),
                        encoded(decoded + "0"),
                        encoded(decoded.substring(0, 20)),
                        encoded("1:1-1-1-1-1"),
                        "A".repeat(201))) {
            Reply refused = tasks.api().get("/v1/tasks?limit=1&cursor=" + changed);
            assertThat(refused.status()).as(changed).isEqualTo(400);
            assertThat(refused.error()).isEqualTo("invalid_request");
        }
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// T-037: a filter with a slip in its name must not list everything.
    @Test
    void foreign_parameters_are_refused_by_name() {
        createMany(1);
        Reply refused = tasks.api().get("/v1/tasks?utm_source=x&limit=1");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(refused.text("/message")).contains("utm_source");
    }

    /// T-038: pages are walked while others create, finish and cancel.
    @Test
    void paging_under_change_shows_what_was_there_throughout_exactly_once() {
        List<String> kept = createMany(60);
        var walking = new AtomicBoolean(true);
        List<List<String>> walks =
                Parallel.run(
                        4,
                        thread ->
                                () -> {
                                    if (thread < 2) {
                                        while (walking.get()) {
                                            churn();
                                        }
                                        return List.of();
                                    }
                                    try {
                                        return allPages("limit=7");
                                    } finally {
                                        if (thread == 2) {
                                            walking.set(false);
                                        }
                                    }
                                });
        for (List<String> walk : walks.subList(2, 4)) {
            assertThat(walk).doesNotHaveDuplicates().containsAll(kept);
        }
    }

    /// New tasks come, and of the kept ones some change their status on the way.
    private void churn() {
        String id = tasks.create("fleeting", "\"priority\":100");
        tasks.verb(id, "cancel");
        Reply claimed = tasks.claim("many");
        if (claimed.at("/task").isObject()) {
            tasks.verb(claimed.text("/task/id"), "complete");
        }
    }

    /// T-038: newest first, and the order never changes.
    @Test
    void the_order_is_that_of_creation_and_stays() {
        List<String> made = createMany(5);
        List<String> newestFirst = made.reversed();
        assertThat(allPages("limit=2")).isEqualTo(newestFirst);
        tasks.claim("many");
        tasks.verb(made.get(1), "cancel");
        assertThat(allPages("limit=2")).isEqualTo(newestFirst);
    }

    /// T-023: an item holds all that a get holds.
    @Test
    void a_listed_task_is_the_task_that_get_shows() {
        for (TaskStatus status : TaskStatus.values()) {
            Requests.task(tasks, status);
        }
        for (JsonNode item : tasks.api().get("/v1/tasks").at("/tasks").values()) {
            Reply got = tasks.get(item.get("id").asString());
            got.at("/task")
                    .properties()
                    .forEach(
                            field ->
                                    assertThat(item.get(field.getKey()))
                                            .as(field.getKey())
                                            .isEqualTo(field.getValue()));
        }
    }
}
