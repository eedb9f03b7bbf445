package io.orchestrion.server.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;

/// Limits for each key of a type, as the door has them.
class FlowControlTest {
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

    private static String keys(String concurrency, String rate) {
        return "\"concurrencyKey\":\"%s\",\"rateKey\":\"%s\"".formatted(concurrency, rate);
    }

    @Test
    void a_task_shows_the_keys_it_was_given_and_none_otherwise() {
        String keyed = tasks.create("t", keys("tenant 7 é", "api.example.com"));
        Reply shown = tasks.get(keyed);
        assertThat(shown.text("/task/concurrencyKey")).isEqualTo("tenant 7 é");
        assertThat(shown.text("/task/rateKey")).isEqualTo("api.example.com");
        assertThat(tasks.get(tasks.create("t")).text()).doesNotContain("Key\"");
        assertThat(tasks.verb(keyed, "claim").text("/task/rateKey")).isEqualTo("api.example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = {"concurrencyKey", "rateKey"})
    void a_key_is_1_to_200_characters_without_control_characters(String field) {
        String body = "{\"type\":\"t\",\"payload\":{},\"%s\":%s}";
        for (String good : new String[] {"\"x\"", "\"" + "ä".repeat(200) + "\""}) {
            assertThat(tasks.api().post("/v1/tasks", body.formatted(field, good)).status())
                    .isEqualTo(201);
        }
        for (String bad :
                new String[] {
                    "\"\"",
                    "\"" + "x".repeat(201) + "\"",
                    "\"a\\u001fb\"",
                    "\"\\n\"",
                    "7",
                    "\"\\u0085\""
                }) {
            Reply refused = tasks.api().post("/v1/tasks", body.formatted(field, bad));
            assertThat(refused.status()).as(bad).isEqualTo(400);
            assertThat(refused.error()).isEqualTo("invalid_request");
            assertThat(refused.text("/message")).contains(field);
        }
    }

    @Test
    void a_claim_hands_out_no_more_of_a_key_than_its_type_allows() {
        LimitedType.set(server, tasks, "import", 1, null);
        tasks.create("import", keys("a", "r"));
        tasks.create("import", keys("a", "r"));
        Reply first = tasks.claim("import");
        assertThat(first.text("/task/concurrencyKey")).isEqualTo("a");
        assertThat(tasks.claim("import").text("/task/id")).isEmpty();
        tasks.verb(first.text("/task/id"), "complete");
        assertThat(tasks.claim("import").text("/task/id")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1,, concurrency_limited, 5", ",1, start_rate_limited, 60"})
    void a_named_task_whose_key_is_busy_is_refused_with_a_wait(
            Integer most, Integer starts, String code, int wait) {
        LimitedType.set(server, tasks, "import", most, starts);
        String first = tasks.create("import", keys("a", "r"));
        String second = tasks.create("import", keys("a", "r"));
        assertThat(tasks.verb(first, "claim").status()).isEqualTo(200);
        Reply refused = tasks.verb(second, "claim");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo(code);
        assertThat(refused.header("Retry-After")).isEqualTo(Integer.toString(wait));
        assertThat(refused.text("/agent_contract/retryable")).isEqualTo("true");
        assertThat(refused.text("/agent_contract/next_actions/0/action"))
                .isEqualTo("retry_after_wait");
        assertThat(refused.text("/agent_contract/next_actions/0/retry_after_seconds"))
                .isEqualTo(Integer.toString(wait));
        assertThat(tasks.status(second)).isEqualTo("pending");
    }

    @Test
    void the_view_says_who_waits_and_what_for() {
        LimitedType.set(server, tasks, "import", 1, 2);
        String free = tasks.create("import", keys("free", "z"));
        for (int i = 0; i < 3; i++) {
            tasks.create("import", keys("busy", "x"));
        }
        tasks.create("import", keys("c1", "quick"));
        tasks.create("import", keys("c2", "quick"));
        tasks.create("import", keys("c3", "quick"));
        // Everything that may start does, then the free one comes back.
        for (Reply claimed = tasks.claim("import");
                !claimed.text("/task/id").isEmpty();
                claimed = tasks.claim("import")) {
            if (claimed.text("/task/id").equals(free)) {
                tasks.verb(free, "fail", "{\"retry_after_seconds\":1}");
            }
        }
        server.clock().advance(Duration.ofSeconds(2));
        server.kernel().kernel().sweepOnce("due-promoter");
        Reply view = tasks.api().get("/v1/types/import/flow");
        assertThat(view.status()).isEqualTo(200);
        assertThat(view.text("/concurrencyLimit/max")).isEqualTo("1");
        assertThat(view.text("/rateLimit/periodSeconds")).isEqualTo("60");
        assertThat(view.text("/paused")).isEqualTo("false");
        assertThat(view.text("/keys/0/concurrencyKey")).isEqualTo("busy");
        assertThat(view.text("/keys/0/reason")).isEqualTo("concurrency");
        assertThat(view.text("/keys/0/waiting")).isEqualTo("2");
        assertThat(view.text("/keys/0/held")).isEqualTo("1");
        assertThat(view.text("/keys/0/nextFreeAt")).isNotEmpty();
        assertThat(view.text("/keys/1/concurrencyKey")).isEqualTo("c3");
        assertThat(view.text("/keys/1/reason")).isEqualTo("rate");
        assertThat(view.text("/keys/1/startsInWindow")).isEqualTo("2");
        assertThat(view.text("/keys/2/concurrencyKey")).isEqualTo("free");
        assertThat(view.text("/keys/2/reason")).isEqualTo("none");
        assertThat(view.text("/keys/3/reason")).isEmpty();
        server.database().execute("update work_type set paused = true");
        assertThat(tasks.api().get("/v1/types/import/flow").text("/keys/0/reason"))
                .isEqualTo("paused");
        server.database().execute("update work_type set paused = false");
    }

    @Test
    void the_view_comes_in_pages_and_shows_each_account_its_own() {
        LimitedType.set(server, tasks, "import", 1, null);
        for (int i = 0; i < 5; i++) {
            tasks.create("import", keys("k" + i, "é"));
        }
        var seen = new ArrayList<String>();
        String cursor = "";
        do {
            String path = "/v1/types/import/flow?limit=2" + cursor;
            Reply page = tasks.api().get(path);
            for (int i = 0; !page.text("/keys/" + i + "/concurrencyKey").isEmpty(); i++) {
                seen.add(page.text("/keys/" + i + "/concurrencyKey"));
            }
            String next = page.text("/nextCursor");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactly("k0", "k1", "k2", "k3", "k4");
        Reply stranger = server.account().api().get("/v1/types/import/flow");
        assertThat(stranger.status()).isEqualTo(200);
        assertThat(stranger.text()).contains("\"keys\":[]").contains("\"concurrencyLimit\":null");
    }

    @Test
    void a_cursor_or_a_type_that_cannot_be_ours_is_refused() {
        for (String path :
                new String[] {
                    "/v1/types/import/flow?cursor=abc",
                    "/v1/types/import/flow?limit=201",
                    "/v1/types/im.port/flow",
                    "/v1/types/" + "x".repeat(101) + "/flow"
                }) {
            Reply refused = tasks.api().get(path);
            assertThat(refused.status()).as(path).isEqualTo(400);
            assertThat(refused.error()).isEqualTo("invalid_request");
        }
    }
}
