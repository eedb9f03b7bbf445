package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.sdk.definition.Definition;
import io.orchestrion.sdk.definition.ErrorClass;
import io.orchestrion.sdk.definition.Step;
import io.orchestrion.sdk.definition.Value;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Everything that the API does can be done from the terminal: every endpoint of the catalogue, and
/// every field that it takes, is reached by one of the lines below, or is named with its reason.
/// Each line runs as somebody would type it, against a server that writes down what it is asked and
/// refuses it.
class CliCoverageTest {
    private static final String ID = "0195f2b4-0000-7000-8000-000000000001";

    private static final Map<String, String> NOT_BY_COMMAND =
            Map.of(
                    "approvePage", "a page for the browser of whoever pays",
                    "approvedPage", "a page for the browser of whoever pays",
                    "cancelledPage", "a page for the browser of whoever pays",
                    "downloadSharedArtifact", "an address for who has no key");

    /// Fields that are another way to say what a command says already.
    private static final Map<String, String> NOT_BY_OPTION =
            Map.ofEntries(
                    Map.entry("worker_id", "an alias of workerId"),
                    Map.entry("output_id", "an alias of outputId"),
                    Map.entry("plan_id", "an alias of planId"),
                    Map.entry("purchase_id", "an alias of purchaseId"),
                    Map.entry("retryAfterSeconds", "an alias of retry_after_seconds"),
                    Map.entry("reason@failTask", "an alias of lastFailureReason"),
                    Map.entry("idempotencyKey", "the same as the header Idempotency-Key"),
                    Map.entry("idempotency_key", "the same as the header Idempotency-Key"),
                    Map.entry("expiresAt@createKey", "--expires-days"),
                    Map.entry("expiresAt@createWorkerToken", "--expires-days"),
                    Map.entry("cursor", "--all goes through the pages"),
                    Map.entry("limit@listKeys", "all keys are shown"),
                    Map.entry("limit@listWorkerTokens", "all tokens are shown"),
                    Map.entry("tenant_id@createExecution", "the account is that of the key"),
                    Map.entry("agents@sendRunPlan", "the whole document, --plan"),
                    Map.entry("limit@listAnomalies", "the server bounds a page"),
                    Map.entry("seconds@streamEvents", "a stream that ends is opened again"),
                    Map.entry("seconds@listQueueJobEvents", "a page waits with waitSeconds"));

    private static final String LINES =
            """
            keys register --name n
            keys create --name n --scopes worker --expires-days 3
            keys list
            keys get ID
            keys rename ID --name n
            keys revoke ID
            tasks create --type t --payload {} --priority 1 --max-attempts 2 --lease-seconds 60 \
            --at 2030-01-31T08:30:00Z --concurrency-key c --rate-key r --depends-on ID \
            --correlation-id o --give-up-after 60 \
            --on-dependency-failure hold --unique {"key":"k"}
            tasks list --status pending --type t --limit 3 --owned
            tasks get ID
            tasks claim --type t --worker w --wait-seconds 3 --claim-id ID
            tasks claim ID --worker w --claim-id ID
            tasks heartbeat ID --token ID
            tasks complete ID --token ID --result {} --output-id o --usage {} --logs-ref l
            tasks fail ID --token ID --reason r --retry-after 3 --code c --http-status 429 \
            --partial-side-effect --usage {} --logs-ref l
            tasks cancel ID --force
            tasks requeue ID
            tasks release ID
            tasks events ID --after a --limit 3
            batch create --tasks [{"type":"t","payload":{}}]
            batch claim --type t --max 3 --worker w --wait-seconds 3 --claim-id ID
            batch complete --items [{"id":"ID"}]
            batch fail --items [{"id":"ID"}]
            batch heartbeat --items [{"id":"ID"}]
            events --after a --limit 3 --type t --task ID --event created --wait-seconds 3 \
            --include owned
            events --follow --after a --type t --task ID --event created --include owned,subjects
            schedules create --name n --cron @daily --every-seconds 3 --timezone UTC --catch-up all \
            --catch-up-max 3 --catch-up-within-seconds 3 --overlap skip --jitter-seconds 3 \
            --start-at 2030-01-31T08:30:00Z --end-at 2030-01-31T08:30:00Z --paused --type t \
            --payload {} --priority 1 --max-attempts 2 --lease-seconds 60
            schedules replace ID --name n --cron @daily --every-seconds 3 --timezone UTC \
            --catch-up all --catch-up-max 3 --catch-up-within-seconds 3 --overlap skip \
            --jitter-seconds 3 --start-at 2030-01-31T08:30:00Z --end-at 2030-01-31T08:30:00Z \
            --paused --type t
            schedules list --limit 3
            schedules get ID
            schedules delete ID
            schedules pause ID
            schedules resume ID
            schedules run ID
            schedules fires ID --limit 3
            types put t --description d --payload-schema {} --result-schema {} --priority 1 \
            --max-attempts 2 --lease-seconds 60 --aging-seconds 3 --concurrency 3 --rate 3 \
            --rate-seconds 3
            types list --limit 3
            types get t
            types delete t
            types pause t
            types resume t
            types drain t
            types flow t --limit 3
            types strict
            types strict --on
            operations create --action cancel --status pending --type t --ids ID --max 3 \
            --created-before 2030-01-31T08:30:00Z --created-after 2030-01-31T08:30:00Z \
            --finished-before 2030-01-31T08:30:00Z --reason-contains x --reason r --dry-run
            operations list --limit 3
            operations get ID
            operations cancel ID
            audit --newest --after 3 --limit 3
            audit --trail --newest --subject ID --event orchestration \
            --from 2030-01-31T08:30:00Z --to 2030-01-31T08:30:00Z --limit 3
            billing plans
            billing status
            billing checkout plan
            billing verify ID
            billing purchases --limit 3
            billing approve order
            health
            describe ready
            describe capabilities
            describe tools
            describe openapi
            describe agent
            describe agent-card
            describe llms
            describe metrics
            describe problems
            describe problems --code RFA_INTERNAL
            describe jobs-ready
            queue submit --type t --payload {} --priority 1 --max-attempts 2
            queue list --status queued --type t --limit 3
            queue get ID
            queue claim --worker w --lease-seconds 3 --types t --capabilities c --count 3 \
            --wait-seconds 3
            queue heartbeat ID --worker w --lease-seconds 3 --lease-token ID
            queue complete ID --worker w --lease-token ID --summary s
            queue fail ID --worker w --lease-token ID --message m --fatal
            queue log ID --worker w --lease-token ID --message m --level warn --payload {}
            queue cancel ID
            queue requeue ID
            queue events ID --after a --limit 3 --wait-seconds 3
            queue dead-letters --type t --limit 3
            queue requeue --dead-letters --type t --limit 3 --reason r
            worker-tokens create --worker w --description d --types t --repositories r \
            --capabilities c --expires-days 3
            worker-tokens list --worker w
            worker-tokens get ID
            worker-tokens change ID --description d --types t --repositories r --capabilities c \
            --expires-at 2030-01-31T08:30:00Z --expires-days 3
            worker-tokens deactivate ID
            worker-tokens reactivate ID
            worker-tokens rotate ID --overlap-seconds 3
            jobs submit --kind k --handler h --payload {} --at 2030-01-31T08:30:00Z \
            --callback https://example.com --auto-retry --key k
            jobs list --state QUEUED --outcome SUCCESS --limit 3
            jobs get ID
            jobs report ID
            jobs cancel ID
            jobs retry ID
            jobs delete ID
            jobs kinds
            jobs deliveries ID
            orchestrations validate DOCUMENT
            orchestrations create DOCUMENT
            orchestrations replace ID --version 2 --document @DOCUMENT
            orchestrations add-version ID --document @DOCUMENT
            orchestrations add-version ID
            orchestrations publish ID --version 2
            orchestrations deprecate ID --version 2
            orchestrations definitions --status draft --name n --limit 3
            orchestrations definition ID
            orchestrations definition ID --version 2
            orchestrations versions ID --limit 3
            orchestrations definition-graph ID --version 2
            orchestrations definition-graph ID --version 2 --mermaid
            orchestrations schema
            orchestrations start ID --version 2 --target order/1 --input {} --correlation-id c \
            --key k
            orchestrations watch ID
            orchestrations list --status failed --definition ID --target-type order --target-id 1 \
            --correlation-id c --limit 3
            orchestrations get ID --limit 3
            orchestrations steps ID --step s --status failed --limit 3
            orchestrations transitions ID --limit 3
            orchestrations graph ID
            orchestrations graph ID --mermaid
            orchestrations pause ID --reason r
            orchestrations resume ID --reason r
            orchestrations cancel ID --reason r
            orchestrations retry ID --reason r --confirm-unsafe
            orchestrations retry ID --step s --reason r --confirm-unsafe
            orchestrations approvals --status expired --kind step --group g --execution ID --limit 3 \
            --due-before 2030-01-31T08:30:00Z
            orchestrations approval ID
            orchestrations approve ID --note n
            orchestrations reject ID --note n
            orchestrations approve ID --step s --note n
            orchestrations reject ID --step s --note n
            orchestrations dlq list --status open --reason timed_out --definition ID --execution ID \
            --from 2030-01-31T08:30:00Z --to 2030-01-31T08:30:00Z --limit 3
            orchestrations dlq get ID
            orchestrations dlq reprocess ID --reason r --confirm-unsafe
            orchestrations dlq reprocess --ids ID --reason r --confirm-unsafe
            orchestrations dlq resolve ID --note n
            orchestrations review list --kind dlq --limit 3
            orchestrations review compensate ID --note n
            orchestrations review mark-compensated ID --note n
            orchestrations review resolve ID --note n
            orchestrations retry-matrix
            runs create --name n --task t --plan {} --planner static --max-tokens 1 --max-agents 2 \
            --max-attempts 3 --max-replans 4 --failure-mode retry --priority high \
            --tool-policies {} --limits {} --timeouts {} --context {} --key k
            runs start ID --reason r
            runs watch ID
            runs list --status failed --escalated --created-from 2030-01-31T08:30:00Z \
            --created-to 2030-01-31T08:30:00Z --limit 3
            runs show ID
            runs show ID --agent ID
            runs show ID --of-task ID
            runs show ID --step ID --limit 3
            runs tree ID --attempt 1 --limit 3
            runs pause ID --reason r
            runs resume ID --reason r
            runs cancel ID --reason r
            runs cancel ID --agent ID --reason r
            runs cancel ID --of-task ID --reason r
            runs retry ID --reason r
            runs delete ID
            runs plan ID --plan {"agents":[]}
            runs attempts ID --limit 3
            runs transitions ID --limit 3
            runs decisions ID --limit 3
            runs events ID --limit 3
            runs plans ID --limit 3
            runs agents ID --attempt 1 --limit 3
            runs tasks ID --agent ID --limit 3
            runs steps ID --of-task ID --limit 3
            runs stream ID --step ID --after 3
            runs write ID --attempt ID --token ID --channel stderr --text t
            runs artifacts list ID --state ready --limit 3
            runs artifacts show ID
            runs artifacts upload ID --file SECRET --name n --type text/plain --step ID --sha256 s
            runs artifacts download ID --to copy
            runs artifacts url ID --seconds 60
            runs escalations list --status open --limit 3
            runs escalations list --run ID
            runs escalations show ID
            runs escalations resume ID --note n
            runs escalations cancel ID --note n
            runs approvals list --run ID --limit 3
            runs approvals show ID
            runs approve ID --note n
            runs reject ID --note n
            credits show
            credits ledger --run ID --after 3 --limit 3
            credits notices --limit 3
            credits grant --org ID --amount 1 --key k --reason r
            credits reverse ID --reason r
            credits anomalies
            credits invariants
            credits stuck --limit 3
            credits force-fail ID --reason r
            webhooks create --to https://example.com --events job.failed --description d \
            --secret-file SECRET
            webhooks list
            webhooks get ID
            webhooks pause ID
            webhooks events ID --events job.failed
            webhooks describe ID --description d
            webhooks ping ID
            webhooks rotate-secret ID --overlap-seconds 3 --secret-file SECRET
            webhooks delete ID
            webhooks deliveries ID --state failed --limit 3
            webhooks delivery ID
            webhooks redeliver ID
            clients create
            clients key ID
            clients rotate ID
            clients renew ID
            clients revoke ID --key-id ID
            """;

    /// With every field that a document may have.
    private static final String DOCUMENT =
            Definition.named("n")
                    .description("d")
                    .startAt("a")
                    .maxRunningPerTarget(1)
                    .outputSchema("true")
                    .output(Value.input())
                    .errorClass("c", ErrorClass.TRANSIENT)
                    .step(Step.task("a", "t").timeout(Duration.ofMinutes(1)).safeToRetry())
                    .build()
                    .json();

    private record Asked(Endpoint endpoint, Set<String> fields) {}

    private static final List<Asked> SEEN = new ArrayList<>();
    private static final List<String> FOREIGN = new ArrayList<>();

    @BeforeAll
    static void run(@TempDir Path home) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", CliCoverageTest::answer);
        server.start();
        try {
            var cli =
                    new CommandRunner(
                            home,
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                            "key");
            Path secret = Files.writeString(home.resolve("secret"), "whsec_x");
            Path document = Files.writeString(home.resolve("document"), DOCUMENT);
            for (String line : LINES.lines().toList()) {
                int before = SEEN.size();
                String[] words =
                        Stream.of(line.split(" "))
                                .map(word -> word.replace("\"ID\"", "\"" + ID + "\""))
                                .map(word -> word.equals("ID") ? ID : word)
                                .map(word -> word.equals("SECRET") ? secret.toString() : word)
                                .map(word -> word.replaceFirst("^(@?)DOCUMENT$", "$1" + document))
                                .toArray(String[]::new);
                assertThat(cli.run(words)).as(line + ": " + cli.err()).isEqualTo(1);
                assertThat(SEEN.size()).as(line).isGreaterThan(before);
            }
        } finally {
            server.stop(0);
        }
    }

    @AfterAll
    static void forget() {
        SEEN.clear();
        FOREIGN.clear();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            note(exchange, body);
            byte[] refusal =
                    """
                    {"error":"invalid_request","message":"Not here.","request_id":"r"}\
                    """
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(400, refusal.length);
            exchange.getResponseBody().write(refusal);
        }
    }

    private static void note(HttpExchange exchange, String body) {
        URI uri = exchange.getRequestURI();
        String asked = exchange.getRequestMethod() + " " + uri.getPath();
        Endpoint endpoint = endpoint(exchange.getRequestMethod(), uri.getPath());
        if (endpoint == null) {
            FOREIGN.add(asked);
            return;
        }
        var fields = new LinkedHashSet<String>();
        String query = uri.getQuery();
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            fields.add(parameter.replaceFirst("=.*", ""));
        }
        fields.stream()
                .filter(name -> endpoint.query().fields().stream().noneMatch(named(name)))
                .forEach(name -> FOREIGN.add(asked + "?" + name));
        if (!body.isEmpty() && endpoint.notes().rawBody().isEmpty()) {
            JsonNode object = JsonMapper.shared().readTree(body);
            for (String name : object.propertyNames()) {
                fields.add(name);
                if (endpoint.request() == null
                        || endpoint.request().fields().stream().noneMatch(named(name))) {
                    FOREIGN.add(asked + " {" + name + "}");
                }
            }
        }
        SEEN.add(new Asked(endpoint, fields));
    }

    private static Predicate<Field> named(String name) {
        return field -> field.name().equals(name);
    }

    /// One with fewer parameters goes first, as it does in the router.
    private static Endpoint endpoint(String method, String path) {
        Endpoint found = null;
        for (Endpoint each : Doors.CATALOGUE) {
            if (each.method().equals(method)
                    && path.matches(each.path().replaceAll("\\{[^}]*}", "[^/]+"))
                    && (found == null || !each.path().contains("{"))) {
                found = each;
            }
        }
        return found;
    }

    @Test
    void every_endpoint_is_reached_by_a_command_or_is_named_with_a_reason() {
        var missing = new TreeSet<String>();
        Doors.CATALOGUE.forEach(each -> missing.add(each.name()));
        SEEN.forEach(asked -> missing.remove(asked.endpoint().name()));
        assertThat(missing).isEqualTo(new TreeSet<>(NOT_BY_COMMAND.keySet()));
    }

    @Test
    void every_field_of_every_endpoint_is_sent_by_a_command_or_is_named_with_a_reason() {
        var missing = new TreeSet<String>();
        for (Endpoint endpoint : Doors.CATALOGUE) {
            if (NOT_BY_COMMAND.containsKey(endpoint.name())) {
                continue;
            }
            Stream.concat(
                            endpoint.query().fields().stream(),
                            endpoint.request() == null
                                    ? Stream.empty()
                                    : endpoint.request().fields().stream())
                    .map(Field::name)
                    .filter(name -> !NOT_BY_OPTION.containsKey(name))
                    .filter(name -> !NOT_BY_OPTION.containsKey(name + "@" + endpoint.name()))
                    .filter(name -> SEEN.stream().noneMatch(asked -> sent(asked, endpoint, name)))
                    .forEach(name -> missing.add(name + "@" + endpoint.name()));
        }
        assertThat(missing).isEmpty();
    }

    private static boolean sent(Asked asked, Endpoint endpoint, String name) {
        return asked.endpoint().equals(endpoint) && asked.fields().contains(name);
    }

    @Test
    void nothing_is_sent_that_the_catalogue_does_not_have() {
        assertThat(FOREIGN).isEmpty();
    }
}
