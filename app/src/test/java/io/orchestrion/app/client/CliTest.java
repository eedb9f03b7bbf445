package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskStatus;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;

/// The client commands, as somebody at a terminal or a script has them.
@Timeout(180)
class CliTest {
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

    private int run(String... words) {
        return cli.run(words);
    }

    private String ran(String... words) {
        return cli.ran(words);
    }

    private JsonNode json(String... words) {
        return cli.json(words);
    }

    private Task created(String type) {
        return client.create(NewTask.ofType(type).build());
    }

    @Test
    void a_task_goes_through_its_life_by_commands_alone() {
        String id =
                json("tasks", "create", "--type", "hello", "--payload", "{\"name\":\"world\"}")
                        .at("/task/id")
                        .asString();
        String claimed = ran("tasks", "claim", "--type", "hello", "--worker", "me");
        assertThat(claimed)
                .contains("Task " + id)
                .containsPattern("status +claimed")
                .containsPattern("worker +me")
                .containsPattern("lease +ends in (5m 0s|4m \\d+s)")
                .containsPattern("next +orchestrion tasks complete " + id + ".* --token ");
        String token = claimed.replaceAll("(?s).*\\n  token +(\\S+).*", "$1");
        ran("tasks", "heartbeat", id, "--token", token);
        String completed = ran("tasks", "complete", id, "--token", token, "--result", "{\"a\":1}");
        assertThat(completed).containsPattern("status +completed");
        assertThat(ran("tasks", "get", id))
                .containsPattern("payload +\\{\"name\":\"world\"}")
                .containsPattern("result +\\{\"a\":1}")
                .containsPattern("completed +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\(");
    }

    @Test
    void every_setting_of_a_task_can_be_given() {
        JsonNode task =
                json("tasks create --type t --priority 7 --max-attempts 2".split(" ")).path("task");
        assertThat(task.path("priority").intValue()).isEqualTo(7);
        assertThat(task.path("maxAttempts").intValue()).isEqualTo(2);
        // A time without an offset counts in the user's zone.
        String at = LocalDateTime.now(ZoneId.of("Asia/Tokyo")).plusHours(2).withNano(0).toString();
        String card = ran("tasks", "create", "--type", "t", "--lease-seconds", "60", "--at", at);
        assertThat(card).contains(at.replace('T', ' ')).containsPattern("\\(in (2h 0m|1h 59m)\\)");
    }

    @Test
    void a_payload_comes_from_the_line_a_file_or_standard_input() throws IOException {
        Path file = Files.writeString(home.resolve("p.json"), "{\"from\":\"file\"}");
        cli.input = "{\"from\":\"input\"}";
        assertThat(json("tasks", "create", "--type", "t", "--payload", "@" + file))
                .hasToString(cli.out().strip());
        assertThat(cli.out()).contains("\"from\":\"file\"");
        json("tasks", "create", "--type", "t", "--payload", "-");
        assertThat(cli.out()).contains("\"from\":\"input\"");
    }

    @Test
    void the_same_key_makes_one_task() {
        String[] create = {"tasks", "create", "--type", "t", "--key", "order-42"};
        assertThat(json(create).at("/task/id")).isEqualTo(json(create).at("/task/id"));
    }

    @Test
    void a_list_is_a_table_in_line() {
        client.create(NewTask.ofType("a-rather-long-type").build());
        UUID dead = client.create(NewTask.ofType("d").maxAttempts(1).build()).id();
        client.fail(client.claim(dead, "w"), "it\u001b[31m broke\nfor good");
        UUID held = created("h").id();
        client.claim(held, "worker-7");
        List<String> lines = ran("tasks", "list").lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.getFirst()).matches("STATUS +TYPE +ID +PRIORITY +ATTEMPTS +CREATED +NOTE");
        int idColumn = lines.getFirst().indexOf("ID ");
        assertThat(lines.get(1).indexOf(held.toString())).isEqualTo(idColumn);
        assertThat(lines.get(1)).startsWith("claimed ").contains("worker-7, lease ends in ");
        assertThat(lines.get(2).indexOf(dead.toString())).isEqualTo(idColumn);
        assertThat(lines.get(2)).contains("1/1").endsWith("it\uFFFD[31m broke for good");
        assertThat(lines.get(3)).startsWith("pending      a-rather-long-type");
        assertThat(ran("tasks", "list", "--status", "dead_letter")).contains(dead.toString());
        assertThat(ran("tasks", "list", "--type", "none")).isEqualTo("No tasks.\n");
    }

    @Test
    void more_pages_are_told_of_or_shown() {
        for (int i = 0; i < 5; i++) {
            created("t");
        }
        assertThat(ran("tasks", "list", "--limit", "2")).contains("--all shows them");
        String all = ran("tasks", "list", "--limit", "2", "--all");
        assertThat(all.lines()).hasSize(6);
        assertThat(all).containsOnlyOnce("STATUS").doesNotContain("--all");
        assertThat(ran("tasks", "list", "--limit", "2", "--all", "--json").lines()).hasSize(3);
    }

    @Test
    void colours_follow_the_status_and_only_where_they_show() {
        created("t");
        assertThat(ran("tasks", "list")).doesNotContain("\u001b");
        cli.colour = true;
        assertThat(ran("tasks", "list")).contains("\u001b[33mpending");
    }

    @Test
    void failing_cancelling_and_requeueing() {
        UUID id = client.create(NewTask.ofType("t").maxAttempts(1).build()).id();
        assertThat(ran("tasks", "claim", id.toString())).containsPattern("status +claimed");
        assertThat(ran("tasks", "fail", id.toString(), "--reason", "no luck"))
                .containsPattern("status +dead_letter")
                .containsPattern("reason +no luck")
                .containsPattern("next +orchestrion tasks requeue " + id);
        assertThat(ran("tasks", "requeue", id.toString())).containsPattern("status +pending");
        assertThat(ran("tasks", "cancel", id.toString())).containsPattern("status +cancelled");
        UUID later = created("t").id();
        client.claim(later, "w");
        run("tasks", "fail", later.toString(), "--retry-after", "300");
        assertThat(client.get(later).scheduledAt())
                .isAfter(client.get(later).createdAt().plus(Duration.ofMinutes(4)));
    }

    @Test
    void nothing_to_claim_is_said_and_is_no_failure() {
        assertThat(ran("tasks", "claim", "--type", "none"))
                .isEqualTo("Nothing of type none to claim; ask again in 5s.\n");
        assertThat(json("tasks", "claim", "--type", "none").path("task").isNull()).isTrue();
    }

    @Test
    void a_refusal_is_told_with_what_to_do_next() {
        UUID id = created("t").id();
        client.cancel(id);
        assertThat(run("tasks", "cancel", id.toString())).isEqualTo(1);
        assertThat(cli.err())
                .contains("orchestrion: A task that is cancelled cannot be cancelled.")
                .contains("(invalid_transition)")
                .contains("  next: orchestrion tasks get " + id)
                .contains("request id: ");
        assertThat(cli.out()).isEmpty();
        assertThat(run("tasks", "get", UUID.randomUUID().toString(), "--json")).isEqualTo(1);
        assertThat(cli.out()).startsWith("{\"error\":\"task_not_found\"");
        assertThat(cli.err()).contains("next: orchestrion tasks list");
        assertThat(run("tasks", "create", "--type", "t", "--priority", "999")).isEqualTo(1);
        assertThat(cli.err()).contains("priority").contains("next: correct what");
    }

    @Test
    void without_a_server_it_says_how_to_start_one() {
        assertThat(run("tasks", "list", "--url", "http://127.0.0.1:1")).isEqualTo(2);
        assertThat(cli.err())
                .contains("orchestrion: no server answers at http://127.0.0.1:1")
                .contains("next: start one with ./orchestrion serve");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tasks | Missing required subcommand",
                "tasks create | --type",
                "tasks create --type t --payload nonsense | payload is not JSON",
                "tasks create --type t --payload @/no/such/file | cannot read /no/such/file",
                "tasks create --type t --at tomorrow | --at must be a time such as",
                "tasks create --type t --priority x | --priority",
                "tasks list --typ t | did you mean --type?",
                "tasks list --status lost | --status must be one of pending, claimed",
                "tasks get | ID",
                "tasks get 12 | UUID",
                "tasks claim | either --type TYPE or an ID",
                "tasks list --url nowhere | a server's address is like",
                "tasks list --api-key-file /no/such/file | cannot read a key from /no/such/file",
                "tasks list --url http://example.com | is not sent to example.com",
                "keys create | --name",
                "keys create --name n --scopes worker,boss | --scopes must be of producer",
                "keys rename 0190-1 --name n | UUID",
                "keys revoke | ID",
            })
    void a_line_that_is_not_right_ends_with_64(String line, String said) {
        assertThat(run(line.split(" "))).isEqualTo(64);
        assertThat(cli.err()).contains(said).contains("next: ").doesNotContain("\tat ");
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void the_key_comes_from_a_named_file_else_the_variable_else_the_local_servers_file()
            throws IOException {
        created("mine");
        assertThat(ran("tasks", "list")).contains("mine");
        cli.environment.put("ORCHESTRION_KEY", server.newKey());
        assertThat(ran("tasks", "list")).isEqualTo("No tasks.\n");
        Path named = home.resolve(".orchestrion/local.key");
        assertThat(ran("tasks", "list", "--api-key-file", named.toString())).contains("mine");
        cli.environment.put("ORCHESTRION_KEY", "wrong");
        assertThat(run("tasks", "list")).isEqualTo(1);
        assertThat(cli.err()).contains("invalid_api_key").contains("--api-key-file");
        cli.environment.remove("ORCHESTRION_KEY");
        Files.delete(named);
        assertThat(run("tasks", "list")).isEqualTo(64);
        assertThat(cli.err()).contains("./orchestrion serve");
    }

    @Test
    void a_registered_key_is_shown_once_or_saved_for_its_owner_alone() throws IOException {
        assertThat(ran("keys", "register", "--name", "me"))
                .containsPattern("orch_live_[0-9a-f]{64}");
        Path file = home.resolve("new.key");
        assertThat(ran("keys", "register", "--save", file.toString())).doesNotContain("orch_live_");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(ran("tasks", "list", "--api-key-file", file.toString()))
                .isEqualTo("No tasks.\n");
        assertThat(run("keys", "register", "--save", file.toString())).isEqualTo(64);
        assertThat(cli.err()).contains("exists already");
        Path unmade = home.resolve("unmade.key");
        run("keys", "register", "--save", unmade.toString(), "--url", "http://127.0.0.1:1");
        assertThat(unmade).doesNotExist();
    }

    /// L-019: the secret alone goes where it can be piped.
    @Test
    void a_key_is_made_listed_renamed_and_revoked() {
        assertThat(run("keys create --name ci --scopes worker,producer".split(" "))).isZero();
        assertThat(cli.out()).matches("orch_live_[0-9a-f]{64}\n");
        assertThat(cli.err())
                .containsPattern("Key \\S{36} \\(ci\\) for producer,worker")
                .contains("shown this once")
                .doesNotContain("orch_live_");
        String id = cli.err().replaceAll("(?s)Key (\\S+) .*", "$1");
        String secret = cli.out().strip();
        cli.environment.put("ORCHESTRION_KEY", secret);
        assertThat(run("keys", "list")).isEqualTo(1);
        assertThat(cli.err())
                .contains("needs a key with the scope admin; this one has producer, worker.")
                .contains("(insufficient_scope)")
                .contains("next: name a key that is for this with --api-key-file");
        assertThat(ran("tasks", "list")).isEqualTo("No tasks.\n");
        cli.environment.remove("ORCHESTRION_KEY");

        assertThat(ran("keys", "rename", id, "--name", "pipe\u001bline"))
                .contains("(pipe\uFFFDline)");
        List<String> lines = ran("keys", "list").lines().toList();
        assertThat(lines.getFirst()).matches("STATUS +NAME +ID +SCOPES +CREATED +LAST USED +NOTE");
        assertThat(lines.get(1)).startsWith("live ").contains(id, "producer,worker", "never");
        assertThat(lines.get(2)).endsWith("this key");
        assertThat(lines.get(1).indexOf(id)).isEqualTo(lines.getFirst().indexOf("ID "));
        assertThat(String.join("", lines)).doesNotContain(secret.substring(10, 20));

        assertThat(ran("keys", "revoke", id)).contains(id).contains("is revoked");
        assertThat(ran("keys", "revoke", id)).contains("is revoked");
        assertThat(ran("keys", "list"))
                .doesNotContain(id)
                .contains("1 revoked or expired; --all shows them.");
        assertThat(ran("keys", "list", "--all")).containsPattern("revoked +.*" + id);
        cli.environment.put("ORCHESTRION_KEY", secret);
        assertThat(run("tasks", "list")).isEqualTo(1);
        assertThat(cli.err()).contains("(invalid_api_key)");
    }

    /// L-019.
    @Test
    void the_last_key_is_not_revoked_and_it_says_what_to_do() {
        String id = json("keys", "list").at("/keys/0/id").asString();
        assertThat(run("keys", "revoke", id)).isEqualTo(1);
        assertThat(cli.err())
                .contains("(last_key)")
                .contains("next: orchestrion keys create --name NAME");
        assertThat(run("keys", "revoke", UUID.randomUUID().toString())).isEqualTo(1);
        assertThat(cli.err()).contains("next: orchestrion keys list --all");
    }

    @Test
    void a_new_key_may_expire_and_be_saved_for_its_owner_alone() throws IOException {
        Path file = home.resolve("ci.key");
        String said =
                ran("keys", "create", "--name", "ci", "--expires-days", "3", "--save", "" + file);
        assertThat(said).contains("its key is in " + file).doesNotContain("orch_live_");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(ran("keys", "list", "--api-key-file", file.toString()))
                .containsPattern("this key, expires in (3d 0h|2d 23h)");
        Path unmade = home.resolve("unmade.key");
        run("keys", "create", "--name", "n", "--scopes", "root", "--save", unmade.toString());
        assertThat(cli.err()).contains("--scopes must be of producer, worker, operator, admin");
        assertThat(unmade).doesNotExist();
        assertThat(json("keys", "create", "--name", "n").at("/apiKey").asString())
                .startsWith("orch_live_");
    }

    @Test
    void health_is_told_and_is_the_exit_code() {
        boolean well = client.health().ok();
        assertThat(run("health")).isEqualTo(well ? 0 : 1);
        assertThat(cli.out()).contains(", version test").contains("lease-reaper");
        run("health", "--json");
        assertThat(cli.out()).startsWith("{\"status\":");
    }

    @Test
    void the_card_of_a_large_payload_is_indented() {
        String text = "x".repeat(80);
        Task task = client.create(NewTask.ofType("t").payload("{\"a\":\"" + text + "\"}").build());
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(ran("tasks", "get", task.id().toString()))
                .containsPattern("payload +\\{\n +\"a\" : \"x{80}\"\n +}");
    }
}
