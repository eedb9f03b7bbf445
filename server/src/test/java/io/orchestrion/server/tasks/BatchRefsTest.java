package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/// Items of one batch that depend on each other before any of them has an id.
class BatchRefsTest {
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

    private static String item(String type, String more) {
        return "{\"type\":\"" + type + "\",\"payload\":{}" + more + "}";
    }

    private static String ref(String name) {
        return ",\"ref\":\"" + name + "\"";
    }

    private static String after(String... names) {
        return ",\"dependsOnRefs\":[\"" + String.join("\",\"", names) + "\"]";
    }

    private Reply create(String... items) {
        Reply reply =
                tasks.api()
                        .post("/v1/tasks/batch", "{\"tasks\":[" + String.join(",", items) + "]}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static String message(Reply reply, int index) {
        return reply.text("/results/" + index + "/error/message");
    }

    /// L-011: a task list that is a DAG, handed in at once and in any order.
    @Test
    void a_dag_is_made_in_one_request_and_done_in_its_order() {
        Reply made =
                create(
                        item("join", after("left", "right")),
                        item("left", ref("left") + after("root")),
                        item("right", ref("right") + after("root")),
                        item("root", ref("root")));
        assertThat(made.number("/created")).as(made.text()).isEqualTo(4);
        assertThat(made.at("/results/0/task/dependsOn").values())
                .extracting(node -> node.asString())
                .containsExactlyInAnyOrder(
                        made.text("/results/1/task/id"), made.text("/results/2/task/id"));
        for (String type : List.of("root", "left", "right", "join")) {
            assertThat(tasks.claim("join").at("/task").isNull()).isEqualTo(!type.equals("join"));
            if (!type.equals("join")) {
                String id = tasks.claim(type).text("/task/id");
                assertThat(id).as(type).isNotEmpty();
                tasks.verb(id, "complete");
                server.kernel().kernel().sweepOnce("dependency-resolver");
            }
        }
    }

    /// L-011: a cycle gives 400, and only to those in it and those behind it.
    @Test
    void a_cycle_is_refused_and_spoils_only_what_depends_on_it() {
        Reply made =
                create(
                        item("a", ref("a") + after("b")),
                        item("b", ref("b") + after("a")),
                        item("behind", after("a")),
                        item("self", ref("self") + after("self")),
                        item("alone", ref("alone")),
                        item("fine", after("alone")));
        assertThat(made.number("/created")).as(made.text()).isEqualTo(2);
        assertThat(message(made, 0)).contains("cycle").contains("0").contains("1");
        assertThat(message(made, 1)).contains("cycle");
        assertThat(message(made, 2)).contains("item 0").contains("not made");
        assertThat(message(made, 3)).contains("cycle");
        IntStream.range(0, 4)
                .forEach(
                        i ->
                                assertThat(made.text("/results/" + i + "/error/code"))
                                        .isEqualTo("invalid_request"));
    }

    @Test
    void a_ref_that_nobody_or_more_than_one_has_is_named() {
        Reply made =
                create(
                        item("a", ref("twice")),
                        item("b", ref("twice")),
                        item("c", after("nobody")),
                        item("d", after("twice")));
        assertThat(made.number("/created")).isEqualTo(2);
        assertThat(message(made, 1)).contains("ref");
        assertThat(message(made, 2)).contains("dependsOnRefs").contains("nobody");
        assertThat(made.text("/results/3/task/dependsOn/0"))
                .isEqualTo(made.text("/results/0/task/id"));
    }

    @Test
    void what_depends_on_a_bad_item_is_not_made() {
        Reply made = create(item("a", ref("bad") + ",\"priority\":1000"), item("b", after("bad")));
        assertThat(made.number("/created")).isZero();
        assertThat(message(made, 0)).contains("priority");
        assertThat(message(made, 1)).isNotEmpty();
    }

    @Test
    void the_same_batch_again_makes_nothing_new() {
        String body =
                "{\"tasks\":[" + item("child", after("p")) + "," + item("parent", ref("p")) + "]}";
        var once = tasks.api().with("Idempotency-Key", "dag");
        Reply first = once.post("/v1/tasks/batch", body);
        Reply again = once.post("/v1/tasks/batch", body);
        assertThat(first.number("/created")).as(first.text()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(again.text("/results/" + i + "/task/id"))
                    .isNotEmpty()
                    .isEqualTo(first.text("/results/" + i + "/task/id"));
        }
    }

    @Test
    void alone_a_task_has_no_ref() {
        Reply reply = tasks.api().post("/v1/tasks", item("a", ref("x")));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/message")).contains("ref");
    }
}
