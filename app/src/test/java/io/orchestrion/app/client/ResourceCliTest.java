package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.EventQuery;
import io.orchestrion.sdk.NewKey;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.Scope;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

/// Schedules, types, operations, batches and the logs, as somebody at a terminal has them.
@Timeout(180)
class ResourceCliTest {
    private static final String NOBODY = "0195f2b4-0000-7000-8000-000000000001";
    private static ClientServer server;

    @TempDir Path home;
    private CommandRunner cli;
    private OrchestrionClient client;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void account() throws IOException {
        String key = server.newKey();
        client = OrchestrionClient.of(server.url(), key);
        cli = new CommandRunner(home, server.url(), key);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private String ran(String line) {
        return cli.ran(line.split(" "));
    }

    private JsonNode json(String line) {
        return cli.json(line.split(" "));
    }

    /// In plain words, with what to do next, and with --json as the server said it.
    private void refused(String line, String words, String code, String next) {
        assertThat(cli.run(line.split(" "))).as(line).isEqualTo(1);
        assertThat(cli.err())
                .contains("orchestrion: " + words)
                .contains(code)
                .contains("next: " + next);
        assertThat(cli.run((line + " --json").split(" "))).isEqualTo(1);
        assertThat(JsonMapper.shared().readTree(cli.out()).path("error").asString())
                .isEqualTo(code);
    }

    private String task(String type) {
        return client.create(NewTask.ofType(type).build()).id().toString();
    }

    @Test
    void a_schedule_is_made_looked_at_paused_run_and_removed() {
        String id =
                json("schedules create --name nightly --every-seconds 3600 --type report")
                        .at("/schedule/id")
                        .asString();
        assertThat(ran("schedules list")).contains("STATUS", "nightly", id, "report", "active");
        assertThat(ran("schedules get " + id)).containsPattern("next fire at +\\d{4}-");
        assertThat(ran("schedules pause " + id)).containsPattern("status +paused");
        assertThat(ran("schedules resume " + id)).containsPattern("status +active");
        assertThat(ran("schedules run " + id)).startsWith("Task ");
        assertThat(ran("schedules fires " + id)).contains("fired", "true");
        assertThat(
                        json("schedules replace "
                                        + id
                                        + " --name nightly --cron @daily --type other")
                                .at("/schedule/task/type")
                                .asString())
                .isEqualTo("other");
        assertThat(ran("schedules delete " + id)).contains("is gone");
        assertThat(ran("schedules list")).isEqualToIgnoringNewLines("No schedules.");
        refused("schedules get " + id, "", "schedule_not_found", "orchestrion schedules list");
    }

    @Test
    void a_definition_comes_from_a_file_and_options_change_it() throws IOException {
        Path file =
                Files.writeString(
                        home.resolve("s.json"),
                        """
                        {"name":"a","cron":"@daily","task":{"type":"t","payload":{"a":1}}}\
                        """);
        JsonNode made = json("schedules create --name b --priority 7 --from @" + file);
        assertThat(made.at("/schedule/name").asString()).isEqualTo("b");
        assertThat(made.at("/schedule/task/priority").intValue()).isEqualTo(7);
        assertThat(made.at("/schedule/task/payload/a").intValue()).isEqualTo(1);
        assertThat(cli.run("schedules", "create", "--from", "[1]")).isEqualTo(64);
        assertThat(cli.err()).contains("--from must be a JSON object");
    }

    @Test
    void a_type_is_registered_limited_paused_drained_and_taken_out() {
        String made = ran("types put page --concurrency 2 --rate 5 --rate-seconds 60");
        assertThat(made).contains("Type page").containsPattern("rate limit +\\{\"max\":5");
        assertThat(ran("types list")).contains("TYPE", "page").containsPattern("page +false");
        assertThat(json("types pause page").at("/type/paused").booleanValue()).isTrue();
        assertThat(json("types drain page").at("/type/draining").booleanValue()).isTrue();
        assertThat(ran("types resume page")).containsPattern("paused +false");
        assertThat(ran("types flow page")).isEqualToIgnoringNewLines("Nothing waits.");
        cli.ran("tasks", "create", "--type", "page", "--concurrency-key", "c", "--rate-key", "r");
        assertThat(ran("types flow page")).contains("WAITS FOR").containsPattern(" c +r +1 ");
        assertThat(ran("types strict")).contains("Every type");
        assertThat(ran("types strict --on")).contains("Only registered types");
        assertThat(ran("types delete page")).contains("registered no more");
        refused("types get page", "", "type_not_found", "orchestrion types list");
    }

    @Test
    void an_operation_is_tried_out_started_and_followed() {
        task("bulk");
        task("bulk");
        assertThat(ran("operations create --action cancel --type bulk --dry-run"))
                .isEqualToIgnoringNewLines("It would cancel 2 tasks.");
        String id =
                json("operations create --action cancel --type bulk --reason slip")
                        .at("/operation/id")
                        .asString();
        assertThat(ran("operations list")).contains("STATE", "cancel", id, "slip");
        assertThat(ran("operations get " + id))
                .contains("Operation " + id)
                .containsPattern("matched +2");
        refused("operations get " + NOBODY, "", "operation_not_found", "orchestrion operations");
    }

    @Test
    void many_tasks_are_created_claimed_and_finished_at_once() {
        cli.input = "{\"type\":\"many\",\"payload\":{}}\n{\"type\":\"many\",\"payload\":{}}\n";
        assertThat(ran("batch create --tasks -")).contains("STATUS", "created", "pending");
        JsonNode claims = json("batch claim --type many --max 5 --worker w").path("claims");
        assertThat(claims.size()).isEqualTo(2);
        String first = held(claims.get(0));
        String second = held(claims.get(1));
        assertThat(cli.ran("batch", "heartbeat", "--items", "[" + first + "," + second + "]"))
                .contains("ok", "claimed");
        assertThat(cli.ran("batch", "complete", "--items", first)).contains("completed");
        assertThat(cli.ran("batch", "fail", "--items", second)).contains("pending");
        assertThat(ran("batch claim --type none")).isEqualToIgnoringNewLines("Nothing to claim.");
    }

    private static String held(JsonNode claim) {
        return "{\"id\":\""
                + claim.at("/task/id").asString()
                + "\",\"leaseToken\":\""
                + claim.path("leaseToken").asString()
                + "\"}";
    }

    @Test
    void an_item_that_went_wrong_is_shown_beside_the_others_and_ends_with_1() {
        String tasks = "[{\"type\":\"t\",\"payload\":{}},{\"type\":\"t\"}]";
        assertThat(cli.run("batch", "create", "--tasks", tasks)).isEqualTo(1);
        assertThat(cli.out()).contains("created").contains("error", "invalid_request");
        assertThat(cli.run("batch", "create", "--tasks", tasks, "--json")).isEqualTo(1);
        assertThat(JsonMapper.shared().readTree(cli.out()).path("created").intValue()).isEqualTo(1);
        assertThat(cli.run("batch", "create", "--tasks", "nonsense")).isEqualTo(64);
        assertThat(cli.err()).contains("an item of the batch is not JSON");
    }

    @Test
    void a_claimed_task_is_cancelled_by_force_and_a_held_one_released() {
        String id = task("t");
        ran("tasks claim " + id);
        refused("tasks cancel " + id, "", "task_currently_claimed", "");
        assertThat(ran("tasks cancel " + id + " --force")).containsPattern("status +cancelled");
        String held =
                json("tasks create --type t --depends-on " + id + " --on-dependency-failure hold")
                        .at("/task/id")
                        .asString();
        assertThat(ran("tasks release " + held)).contains("Task " + held);
        refused("tasks release " + held, "", "invalid_transition", "");
        assertThat(ran("tasks events " + id)).contains("EVENT", "created", "claimed", "cancelled");
    }

    @Test
    void what_is_reported_of_an_attempt_is_said_on_the_line_and_shown() {
        String id =
                json("tasks create --type told --correlation-id order-7 --give-up-after 600")
                        .at("/task/id")
                        .asString();
        ran("tasks claim " + id);
        ran(
                "tasks fail "
                        + id
                        + " --reason busy --code rate_limited --http-status 429"
                        + " --partial-side-effect --usage {\"tokens\":3} --logs-ref s3://l");
        JsonNode task = json("tasks get " + id).at("/task");
        assertThat(task.at("/lastError").toString())
                .isEqualTo(
                        "{\"code\":\"rate_limited\",\"http_status\":429,\"message\":\"busy\","
                                + "\"partial_side_effect\":true}");
        assertThat(task.at("/usage/tokens").intValue()).isEqualTo(3);
        assertThat(ran("tasks get " + id))
                .contains("rate_limited (429)", "s3://l", "order-7")
                .containsPattern("reason +busy");
        ran("tasks claim " + id);
        ran("tasks complete " + id + " --usage {\"tokens\":9} --logs-ref s3://m");
        assertThat(json("tasks get " + id).at("/task/usage/tokens").intValue()).isEqualTo(9);
        assertThat(cli.run("tasks", "fail", id, "--http-status", "500")).isEqualTo(64);
        assertThat(cli.err()).contains("need --code");
        assertThat(cli.run("tasks", "fail", id, "--code", "c")).isEqualTo(64);
        assertThat(cli.err()).contains("needs --reason");
    }

    @Test
    void events_are_listed_by_filter_and_page() {
        String id = task("seen");
        task("other");
        assertThat(ran("events --type seen"))
                .contains("EVENT", "created", id)
                .doesNotContain("other");
        assertThat(json("events --task " + id + " --event created").path("events").size())
                .isEqualTo(1);
        assertThat(ran("events --limit 1")).contains("There are more; --all shows them.");
        assertThat(ran("events --limit 1 --all")).contains("seen", "other");
        refused("events --after nonsense", "", "invalid_request", "");
    }

    @Test
    void followed_events_come_as_they_happen_until_the_follower_is_interrupted() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        var ended = new AtomicReference<OrchestrionException>();
        Thread follower =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        client.events()
                                                .follow(
                                                        EventQuery.ALL.withType("f"),
                                                        event -> heard.add(event.event()));
                                    } catch (OrchestrionException e) {
                                        ended.set(e);
                                    }
                                });
        UUID id = client.create(NewTask.ofType("f").build()).id();
        assertThat(heard.take()).isEqualTo("created");
        client.cancel(id);
        assertThat(heard.take()).isEqualTo("cancelled");
        follower.interrupt();
        follower.join();
        assertThat(ended.get().is(OrchestrionException.INTERRUPTED)).isTrue();
    }

    @Test
    void the_audit_log_is_read_in_both_orders() {
        ran("keys create --name seen --scopes worker --save " + home.resolve("k"));
        assertThat(ran("audit")).contains("ACTION", "key.created", "seen");
        assertThat(json("audit --newest --limit 1").at("/entries/0/detail/name").asString())
                .isEqualTo("seen");
        cli.environment.put(
                "ORCHESTRION_KEY",
                client.keys().create(NewKey.named("w").withScopes(Set.of(Scope.WORKER))).apiKey());
        refused("audit", "", "insufficient_scope", "name a key that is for this");
    }

    @Test
    void a_server_says_what_it_is() {
        assertThat(ran("describe capabilities")).startsWith("{");
        assertThat(ran("describe llms")).contains("/v1/tasks");
        assertThat(ran("describe ready")).contains("ready");
        assertThat(ran("describe problems --code RFA_INTERNAL")).contains("RFA_INTERNAL");
        assertThat(cli.run("describe", "problems", "--code", "NO_SUCH")).isEqualTo(1);
        assertThat(cli.err()).contains("orchestrion: ");
    }

    @Test
    void a_job_of_the_queue_is_done_by_hand() {
        String id = json("queue submit --type t").path("id").asString();
        JsonNode job = json("queue claim --worker w --types t").at("/jobs/0");
        assertThat(job.path("id").asString()).isEqualTo(id);
        String held = id + " --worker w --lease-token " + job.path("leaseToken").asString();
        assertThat(ran("queue log " + held + " --message hello --level warn")).startsWith("Event ");
        assertThat(ran("queue heartbeat " + held)).containsPattern("status +running");
        assertThat(ran("queue complete " + held + " --summary fine"))
                .containsPattern("status +succeeded");
        assertThat(ran("queue events " + id)).contains("hello");
        assertThat(cli.run(("queue fail " + held + " --message late").split(" "))).isEqualTo(1);
        assertThat(cli.err()).contains("queue_wrong_status");
    }

    @Test
    void a_token_is_shown_and_changed() {
        ran("worker-tokens create --worker w --types a --save " + home.resolve("t"));
        String id = json("worker-tokens list --worker w").at("/items/0/id").asString();
        assertThat(ran("worker-tokens change " + id + " --types a,b"))
                .containsPattern("types +a,b");
        assertThat(ran("worker-tokens get " + id)).contains("of worker w");
        assertThat(ran("keys list")).contains("NAME");
    }

    @Test
    void the_old_name_of_the_option_for_the_server_still_works() {
        cli.environment.put("ORCHESTRION_URL", "http://127.0.0.1:1");
        assertThat(cli.run("tasks", "list")).isEqualTo(2);
        assertThat(ran("tasks list --server " + server.url())).contains("No tasks.");
        assertThat(ran("tasks list --url " + server.url())).contains("No tasks.");
    }
}
