package io.orchestrion.server.http;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/// A small API of two doors to run the server with.
final class Fixture {
    static final Endpoint CREATE =
            Endpoint.post("createThing", "/v1/things")
                    .door("things")
                    .request(
                            ObjectSpec.named("ThingCreate")
                                    .required(text("name").length(1, 10))
                                    .optional(object("payload")))
                    .maxBodyBytes(1000)
                    .build();
    static final Endpoint LIST =
            Endpoint.get("listThings", "/v1/things")
                    .door("things")
                    .query(integer("limit").range(1, 100).orElse(50), text("tag"))
                    .build();
    static final Endpoint READ =
            Endpoint.get("readThing", "/v1/things/{id}")
                    .door("things")
                    .unknownQuery(ObjectSpec.Unknown.IGNORE)
                    .build();
    static final Endpoint CLAIM =
            Endpoint.post("claimAny", "/v1/things/claim").door("things").build();
    static final Endpoint CLAIM_ONE =
            Endpoint.post("claimOne", "/v1/things/{thing}/claim").door("things").build();
    static final Endpoint BEAT =
            Endpoint.post("beat", "/v1/things/{id}/heartbeat")
                    .door("things")
                    .urgency(Urgency.HOLDER)
                    .build();
    static final Endpoint WAIT = Endpoint.post("wait", "/v1/wait").door("things").build();
    static final Endpoint WHO = Endpoint.get("who", "/v1/who").door("things").build();
    static final Endpoint BOOM =
            Endpoint.get("boom", "/other/boom")
                    .door("other")
                    .unknownQuery(ObjectSpec.Unknown.IGNORE)
                    .build();
    static final Endpoint LARGE = Endpoint.get("large", "/other/large").door("other").build();

    static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(CREATE, LIST, READ, CLAIM, CLAIM_ONE, BEAT, WAIT, WHO, BOOM, LARGE));

    /// Each call of `wait` puts its release here and waits for it.
    final BlockingQueue<CountDownLatch> waiting = new LinkedBlockingQueue<>();

    /// What handlers were called with, in order.
    final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

    final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

    Router router() {
        var things = new PlainDoor("things", "/v1/");
        var other =
                new PlainDoor("other", "/other/") {
                    @Override
                    public Answer bodyTooLarge(Call call, long maxBytes) {
                        return refused(call, 400, "too large for other");
                    }

                    @Override
                    public Answer failed(Call call, Throwable failure) {
                        failures.add(failure);
                        return super.failed(call, failure);
                    }
                };
        Gate gate =
                (call, endpoint) -> {
                    call.attach(Caller.class, new Caller(call.header("X-Caller").orElse("nobody")));
                    return call.query().containsKey("stop")
                            ? things.refused(call, 401, "stopped by the gate")
                            : null;
                };
        return Router.of(CATALOGUE)
                .door(new PlainDoor("default", "/"))
                .door(things)
                .door(other)
                .gates("things", List.of(gate))
                .handle(
                        CREATE,
                        call -> {
                            var thing = call.json();
                            handled.add("create " + thing.text("name"));
                            return Answer.json(
                                    201,
                                    JsonWriter.object(
                                            out ->
                                                    out.text("name", thing.text("name"))
                                                            .raw(
                                                                    "payload",
                                                                    thing.jsonOrNull("payload"))));
                        })
                .handle(
                        LIST,
                        call -> {
                            var query = call.queryValues();
                            return Answer.json(
                                    200,
                                    JsonWriter.object(
                                            out ->
                                                    out.integer("limit", query.integer("limit"))
                                                            .text("tag", query.textOrNull("tag"))));
                        })
                .handle(
                        READ,
                        call -> {
                            handled.add("read " + call.pathParameter("id"));
                            return Answer.json(
                                    200,
                                    JsonWriter.object(
                                            out ->
                                                    out.text("id", call.pathParameter("id"))
                                                            .text(
                                                                    "caller",
                                                                    call.attached(Caller.class)
                                                                            .orElseThrow()
                                                                            .name())));
                        })
                .handle(CLAIM, call -> Answer.empty(204))
                .handle(
                        CLAIM_ONE,
                        call ->
                                Answer.json(
                                        200,
                                        JsonWriter.object(
                                                out ->
                                                        out.text(
                                                                "claimed",
                                                                call.pathParameter("thing")))))
                .handle(BEAT, call -> Answer.empty(204))
                .handle(
                        WAIT,
                        call -> {
                            var release = new CountDownLatch(1);
                            waiting.add(release);
                            release.await();
                            return Answer.json(
                                    200, JsonWriter.object(out -> out.text("waited", "yes")));
                        })
                .handle(
                        WHO,
                        call ->
                                Answer.json(
                                        200,
                                        JsonWriter.object(
                                                out ->
                                                        out.text("peer", call.remoteAddress())
                                                                .text(
                                                                        "client",
                                                                        call.clientAddress().text())
                                                                .text(
                                                                        "subject",
                                                                        call.clientAddress()
                                                                                .limitSubject()))))
                .handle(
                        BOOM,
                        call -> {
                            throw new IllegalStateException("secret detail");
                        })
                .handle(LARGE, call -> Answer.of(200, "text/plain", new byte[8 * 1024 * 1024]))
                .build();
    }

    HttpServer start() {
        return HttpServer.start(options(), router());
    }

    /// As many as that at once, and no waiting for a place.
    static HttpOptions.Admission places(int ordinary, int holders) {
        return new HttpOptions.Admission(ordinary, holders, 1, Duration.ZERO);
    }

    static HttpOptions options() {
        return HttpOptions.on("127.0.0.1", 0)
                .withTimes(
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30));
    }

    record Caller(String name) {}

    static class PlainDoor implements Door {
        private final String name;
        private final String prefix;

        PlainDoor(String name, String prefix) {
            this.name = name;
            this.prefix = prefix;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean owns(String path) {
            return path.startsWith(prefix);
        }

        @Override
        public Answer notFound(Call call) {
            return refused(call, 404, "no such path");
        }

        @Override
        public Answer methodNotAllowed(Call call, Set<String> allowed) {
            return refused(call, 405, "wrong method");
        }

        @Override
        public Answer refused(Call call, int status, String message) {
            return Answer.json(
                    status,
                    JsonWriter.object(
                            out ->
                                    out.text("door", name)
                                            .text("message", message)
                                            .text("request_id", call.requestId())));
        }

        @Override
        public Answer failed(Call call, Throwable failure) {
            return refused(call, 500, "failed");
        }

        @Override
        public Answer overloaded(Call call, int retryAfterSeconds) {
            return refused(call, 503, "overloaded");
        }
    }
}
