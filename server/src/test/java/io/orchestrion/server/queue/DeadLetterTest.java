package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/// L-024: dead letters are listed, and put back alone or by a filter, with a limit and an entry in
/// the audit log.
class DeadLetterTest extends QueueFixture {
    private static final String DEAD_LETTERS = "/api/queue/dead-letters";

    private final QueueApi.Worker worker = queue.worker("executor-01");

    private String dead(String type, String why) {
        String id = queue.enqueue(type, "{}", "\"maxAttempts\":1");
        assertThat(worker.claimed("\"allowedTypes\":[\"" + type + "\"]")).isEqualTo(id);
        Reply failed =
                worker.verb(
                        id, "fail", "\"retryable\":true,\"errorMessage\":\"%s\"".formatted(why));
        assertThat(failed.text("/status")).isEqualTo("dead_letter");
        return id;
    }

    private List<String> listed(String query) {
        return queue.keyed().get(DEAD_LETTERS + query).at("/items").findValuesAsString("id");
    }

    private Reply requeue(String body) {
        return queue.keyed().post(DEAD_LETTERS + "/requeue", body);
    }

    private List<JsonNode> audited(String action) {
        var found = new ArrayList<JsonNode>();
        for (JsonNode entry : queue.keyed().get("/v1/audit?limit=100").at("/entries")) {
            if (entry.get("action").asString().equals(action)) {
                found.add(entry);
            }
        }
        return found;
    }

    /// L-024.
    @Test
    void dead_letters_are_listed_by_type_and_page() {
        String one = dead("a", "x");
        String two = dead("b", "x");
        String three = dead("a", "x");
        queue.enqueue("a");
        assertThat(listed("")).containsExactly(three, two, one);
        assertThat(listed("?type=a")).containsExactly(three, one);
        Reply page = queue.keyed().get(DEAD_LETTERS + "?limit=2");
        assertThat(page.at("/items")).hasSize(2);
        assertThat(listed("?limit=2&cursor=" + page.text("/nextCursor"))).containsExactly(one);
        assertThat(page.at("/items/0/status").asString()).isEqualTo("dead_letter");
    }

    /// L-024.
    @Test
    void one_dead_letter_is_put_back_with_all_its_attempts() {
        String id = dead("a", "x");
        Reply back = queue.verb(id, "requeue");
        assertThat(back.status()).isEqualTo(200);
        assertThat(back.text("/status")).isEqualTo("queued");
        assertThat(back.number("/attempt")).isZero();
        assertThat(back.at("/nextAttemptAt").isNull()).isTrue();
        Reply claimed = worker.claim("");
        assertThat(claimed.text("/job/id")).isEqualTo(id);
        assertThat(claimed.number("/job/attempt")).isEqualTo(1);
        assertThat(audited("dead_letter.requeued")).hasSize(1);
        assertThat(queue.lifecycle(id)).contains("requeued");
        assertThat(queue.verb(id, "requeue").text("/code")).isEqualTo("queue_wrong_status");
        assertThat(queue.verb("01970000-0000-7000-8000-000000000000", "requeue").status())
                .isEqualTo(404);
    }

    /// L-024: what failed for good is no dead letter.
    @Test
    void what_failed_is_not_put_back() {
        String id = queue.enqueue("a");
        worker.claimed();
        worker.fail(id, false);
        assertThat(queue.verb(id, "requeue").text("/code")).isEqualTo("queue_wrong_status");
        assertThat(requeue("{}").number("/requeued")).isZero();
        assertThat(listed("")).isEmpty();
    }

    /// L-024.
    @Test
    void many_are_put_back_by_a_filter_up_to_a_limit_and_audited() {
        String a1 = dead("a", "network timeout");
        String a2 = dead("a", "no such branch");
        String b1 = dead("b", "network timeout");
        Reply byType =
                requeue(
                        "{\"filter\":{\"type\":\"a\",\"errorContains\":\"network\"},\"reason\":\"fixed\"}");
        assertThat(byType.status()).isEqualTo(200);
        assertThat(byType.at("/jobIds").toString()).isEqualTo("[\"" + a1 + "\"]");
        assertThat(listed("")).containsExactly(b1, a2);
        Reply one = requeue("{\"limit\":1}");
        assertThat(one.number("/requeued")).isEqualTo(1);
        assertThat(one.at("/hasMore").asBoolean()).isTrue();
        Reply rest = requeue("{\"filter\":{\"ids\":[\"%s\",\"%s\"]}}".formatted(b1, a1));
        assertThat(rest.number("/requeued")).isEqualTo(1);
        assertThat(listed("")).isEmpty();
        List<JsonNode> entries = audited("dead_letters.requeued");
        assertThat(entries).hasSize(3);
        assertThat(entries)
                .filteredOn(entry -> entry.toString().contains("fixed"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.at("/detail/requeued").asInt()).isEqualTo(1));
    }

    /// L-024: an empty body is every dead letter, within the limit; another account's stay.
    @Test
    void without_a_filter_all_are_put_back_of_this_account_alone() {
        dead("a", "x");
        dead("b", "x");
        QueueApi other = QueueApi.of(server);
        assertThat(other.keyed().post(DEAD_LETTERS + "/requeue", "{}").number("/requeued"))
                .isZero();
        assertThat(requeue("{}").number("/requeued")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"limit":0}                         | limit
                    {"limit":1001}                      | limit
                    {"filter":{"type":""}}              | filter.type
                    {"filter":{"ids":["x"]}}            | filter.ids[0]
                    {"filter":{"ids":[]}}               | filter.ids
                    {"filter":{"status":"failed"}}      | filter.status
                    {"filter":{"createdBefore":"then"}} | filter.createdBefore
                    {"reason":""}                       | reason
                    """)
    void a_bad_wish_is_refused(String body, String field) {
        String id = dead("a", "x");
        Reply reply = requeue(body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        assertThat(queue.status(id)).isEqualTo("dead_letter");
    }
}
