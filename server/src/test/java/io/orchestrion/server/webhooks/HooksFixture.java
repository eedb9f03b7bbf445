package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;
import io.orchestrion.testkit.sample.Errands;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// A server that calls receivers on this machine, and for each test an account and a receiver of
/// its own. Duties run when a test asks for it, and waits are moved by the clock. Calls end after
/// a second and a half: time enough for a busy machine to answer those that are to succeed.
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
abstract class HooksFixture {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final WebhookOptions OPTIONS =
            WebhookOptions.DEFAULT
                    .withTimeout(Duration.ofMillis(1_500))
                    .withTries(
                            2,
                            Duration.ofSeconds(1),
                            Duration.ofSeconds(60),
                            List.of(Duration.ofMinutes(5)))
                    .withAddresses(AddressRanges.of("127.0.0.0/8"), AddressGuard.Resolver.SYSTEM)
                    .withBounds(
                            2,
                            16,
                            new WebhookOptions.Breaker(
                                    6,
                                    Duration.ofSeconds(30),
                                    Duration.ofMinutes(5),
                                    Duration.ofHours(72)),
                            40);

    /// What an engine would tell of.
    static final SubjectKind EXECUTION =
            new SubjectKind(
                    "execution", "engine", List.of("started", "ended"), List.of("running", "done"));

    /// With what the sample engine tells of.
    private static final List<SubjectKind> SUBJECTS =
            Stream.concat(Stream.of(EXECUTION), Errands.SUBJECTS.stream()).toList();

    /// What the log, the metrics and the traces are told of each try.
    private static final List<DeliverySeen> SEEN = new CopyOnWriteArrayList<>();

    static TestServer server;

    final HookReceiver receiver = new HookReceiver();
    final TaskApi tasks = server.account();
    final Api api = tasks.api();

    @BeforeAll
    static void start() {
        var told =
                new Signals() {
                    @Override
                    public void delivery(DeliverySeen seen) {
                        SEEN.add(seen);
                    }
                };
        server =
                new TestServer(
                        options ->
                                options.withSignals(told)
                                        .withSubjects(SUBJECTS)
                                        .withSchema(options.schema().plus(List.of(Errands.SCHEMA))),
                        options -> options.withWebhooks(OPTIONS));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void closeReceiver() {
        receiver.close();
    }

    /// Registers and gives the whole answer.
    Reply registered(String path, String... events) {
        Reply reply = register(receiver.url(path), events);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    Reply register(String url, String... events) {
        return api.post(
                "/v1/webhooks",
                "{\"url\":\"%s\",\"events\":[\"%s\"]}"
                        .formatted(url, String.join("\",\"", events)));
    }

    String webhook(String path, String... events) {
        return registered(path, events).text("/webhook_id");
    }

    static int sweep(String duty) {
        return server.kernel().kernel().sweepOnce(duty);
    }

    /// Everything that can be done now.
    static void pump() {
        sweep(FanOut.NAME);
        int begun;
        do {
            begun = sweep(Deliverer.NAME);
            Until.isTrue("calls have ended", PATIENCE, () -> server.webhooks().underWay() == 0);
        } while (begun > 0);
    }

    static long running() {
        Long count =
                server.database()
                        .value(
                                "select count(*) from work where queue = 'deliveries'"
                                        + " and state = 'running'");
        return count == null ? 0 : count;
    }

    /// The log is passed on up to the oldest transaction in the cluster, which may be another
    /// test's.
    static void until(String what, BooleanSupplier condition) {
        Until.isTrue(
                what,
                PATIENCE,
                () -> {
                    pump();
                    return condition.getAsBoolean();
                });
    }

    /// Moves the clock and does what has become due.
    static void later(Duration by) {
        server.clock().advance(by);
        pump();
    }

    List<JsonNode> deliveries(String webhook) {
        var all = new ArrayList<JsonNode>();
        Reply reply = api.get("/v1/webhooks/" + webhook + "/deliveries?limit=200");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        reply.at("/deliveries").forEach(all::add);
        return all;
    }

    JsonNode delivery(String webhook) {
        List<JsonNode> all = deliveries(webhook);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    /// The tries to deliver to that webhook, as they were told of.
    static List<DeliverySeen> seen(String webhook) {
        return SEEN.stream().filter(each -> each.webhookId().toString().equals(webhook)).toList();
    }

    List<String> names(String path) {
        return receiver.got(path).stream()
                .map(got -> got.json().get("event_name").asString())
                .toList();
    }
}
