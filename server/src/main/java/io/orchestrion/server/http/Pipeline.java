package io.orchestrion.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.orchestrion.kernel.db.Urgent;
import io.orchestrion.kernel.json.InvalidBody;
import io.orchestrion.kernel.memory.Carried;
import io.orchestrion.kernel.signals.Tracing;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Takes a request from Helidon to its answer: route, capacity, query, gates, handler, and the
/// door's words for whatever goes wrong on the way. It is a filter that never proceeds, so that
/// Helidon's own routing answers nothing.
final class Pipeline {
    static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
    private static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final int RETRY_AFTER_SECONDS = 1;
    private static final Answer LAST_RESORT =
            Answer.json(500, "{\"error\":\"server_error\"}".getBytes(StandardCharsets.UTF_8));

    private final Router router;
    private final Capacity capacity;
    private final BytesInFlight memory;
    private final Lingering lingering = new Lingering();
    private final Watchdog watchdog;
    private final RequestIds ids;
    private final Duration bodyTime;
    private final Duration writeTime;
    private final AddressRanges trustedProxies;
    private final CallObserver observer;
    private final CallLog log = new CallLog(LOG);

    Pipeline(
            Router router,
            Capacity capacity,
            BytesInFlight memory,
            Watchdog watchdog,
            RequestIds ids,
            HttpOptions options,
            CallObserver observer) {
        this.router = router;
        this.capacity = capacity;
        this.memory = memory;
        this.watchdog = watchdog;
        this.ids = ids;
        this.bodyTime = options.bodyTime();
        this.writeTime = options.writeTime();
        this.trustedProxies = options.trustedProxies();
        this.observer = new GuardedObserver(observer);
    }

    void serve(FilterChain unused, RoutingRequest request, RoutingResponse response) {
        long began = System.nanoTime();
        BytesInFlight.Hold hold = memory.hold();
        var body = new HelidonBody(request, watchdog, bodyTime, hold, lingering);
        Call call =
                new Call(
                        ids.next(),
                        request.prologue().method().text(),
                        originForm(request.prologue().uriPath().rawPath()),
                        name -> values(request.headers(), name),
                        Connections.address(request.remotePeer()),
                        trustedProxies,
                        body);
        hold.of(Urgency.ORDINARY, call::owner);
        Connections.requestHolds(hold);
        capacity.arrive();
        MDC.put("request_id", call.requestId());
        boolean close;
        try {
            String parent =
                    request.headers().contains(TRACEPARENT)
                            ? TraceContext.read(request.headers().get(TRACEPARENT).get())
                            : null;
            Tracing.Span span = observer.begun(call, parent);
            Answer answer = answer(call, hold, request, span == null ? parent : span.traceparent());
            if (answer.stream() == null) {
                body.forget();
                hold.answers(answer.body().length);
            }
            log.answered(call, answer, began);
            observer.answered(call, answer.status(), System.nanoTime() - began, span);
            close =
                    capacity.draining()
                            || answer.stream() != null
                            || asksToClose(request.headers())
                            || refusedByCrowd(call)
                            || !body.leavesConnectionUsable();
            send(call, answer, close, hold, response);
            // The rest of the body needs no worker: another call may have the place.
            leave(call);
            if (close) {
                body.linger();
            } else {
                body.discard();
            }
        } finally {
            MDC.remove("request_id");
            call.over();
            leave(call);
            hold.close();
            capacity.depart();
            Connections.requestDone();
        }
        if (close) {
            // Helidon would go on and read the next request, out of the unread body if there is
            // one.
            throw new CloseConnectionException("Answered with Connection: close");
        }
    }

    private static void leave(Call call) {
        call.detached(Capacity.Leave.class).ifPresent(Capacity.Leave::close);
        call.detached(Capacity.Place.class).ifPresent(Capacity.Place::close);
    }

    /// Few clients send the header, and looking for a word in a missing one is slow.
    private static boolean asksToClose(Headers headers) {
        return headers.contains(HeaderNames.CONNECTION)
                && headers.containsToken(HeaderValues.CONNECTION_CLOSE);
    }

    /// Connections beyond the bound are there for holders alone; any other request on one is
    /// refused, and the connection closed.
    private static boolean refusedByCrowd(Call call) {
        return Connections.crowded() && !ofHolder(call.endpoint());
    }

    private static boolean ofHolder(@Nullable Endpoint endpoint) {
        return endpoint != null && endpoint.urgency() == Urgency.HOLDER;
    }

    private Answer answer(
            Call call, BytesInFlight.Hold hold, RoutingRequest request, @Nullable String trace) {
        Door door = router.defaultDoor();
        try {
            Router.Match match = router.match(call.method(), call.path());
            door =
                    match instanceof Router.Match.Found found
                            ? router.doorOf(found.endpoint())
                            : router.doorOf(call.path());
            call.door(door.name());
            return switch (match) {
                case Router.Match.Unknown() -> door.notFound(call);
                case Router.Match.WrongMethod(var allowed) ->
                        door.methodNotAllowed(call, allowed)
                                .with("Allow", String.join(", ", allowed));
                case Router.Match.Found(
                                Endpoint endpoint,
                                Handler handler,
                                Map<String, String> parameters) -> {
                    call.route(endpoint, parameters);
                    hold.of(endpoint.urgency(), call::owner);
                    yield admitted(call, endpoint)
                            ? handled(call, endpoint, traced(handler, trace), door, hold, request)
                            : overloaded(door, call);
                }
            };
        } catch (CloseConnectionException e) {
            throw e;
        } catch (Refusal refusal) {
            return worded(refusal, door, call);
        } catch (InvalidBody invalid) {
            return worded(new Refusal((by, of) -> by.invalid(of, invalid.faults())), door, call);
        } catch (Throwable failure) {
            // A call that stopping cut off has not failed: the caller may try another node.
            return failure instanceof InterruptedException && capacity.draining()
                    ? overloaded(door, call)
                    : failed(call, door, failure);
        }
    }

    /// Takes a place before anything is looked up or read: a call that has to wait has cost only
    /// its headers so far.
    private boolean admitted(Call call, Endpoint endpoint) {
        if (refusedByCrowd(call)) {
            return false;
        }
        Capacity.Place place = capacity.place(endpoint.urgency(), call.callerInLine());
        if (place != null) {
            call.attach(Capacity.Place.class, place);
        }
        return place != null;
    }

    private static Handler traced(Handler handler, @Nullable String trace) {
        return trace == null ? handler : call -> TraceContext.during(trace, handler, call);
    }

    static Answer overloaded(Door door, Call call) {
        call.refuseForLoad();
        return door.overloaded(call, RETRY_AFTER_SECONDS)
                .with("Retry-After", String.valueOf(RETRY_AFTER_SECONDS));
    }

    /// The account has too much under way; another is served meanwhile.
    static Answer tooMuchOfOne(Door door, Call call) {
        call.refuseForLoad();
        return door.tooMuchInFlight(call, RETRY_AFTER_SECONDS)
                .with("Retry-After", String.valueOf(RETRY_AFTER_SECONDS));
    }

    private Answer handled(
            Call call,
            Endpoint endpoint,
            Handler handler,
            Door door,
            BytesInFlight.Hold hold,
            RoutingRequest request)
            throws Exception {
        Map<String, List<String>> query =
                request.prologue().fragment().hasValue()
                        ? null
                        : Percent.query(request.prologue().query().rawValue());
        if (query == null) {
            return door.badRequest(call, "The query string is malformed.");
        }
        call.query(query);
        Answer answer =
                Carried.counting(
                        hold::add,
                        () ->
                                endpoint.urgency() == Urgency.HOLDER
                                        ? Urgent.during(() -> handled(call, endpoint, handler))
                                        : handled(call, endpoint, handler));
        if (answer.stream() != null) {
            call.attach(
                    Capacity.Leave.class,
                    call.attached(Capacity.Place.class).orElseThrow().stream());
        }
        return answer;
    }

    private Answer handled(Call call, Endpoint endpoint, Handler handler) throws Exception {
        for (Gate gate : router.gates(endpoint)) {
            Answer refusal = gate.check(call, endpoint);
            if (refusal != null) {
                return refusal;
            }
        }
        // After the gates, which have more to say of a key that is sent as a parameter.
        endpoint.query().refuseUnknownQuery(call.query().keySet());
        return handler.handle(call);
    }

    private static Answer worded(Refusal refusal, Door door, Call call) {
        try {
            return refusal.by(door, call);
        } catch (RuntimeException e) {
            return failed(call, door, e);
        }
    }

    private static Answer failed(Call call, Door door, Throwable failure) {
        if (door.expects(failure)) {
            LOG.debug(
                    "{} {} failed, request {}: {}",
                    call.method(),
                    CallLog.shown(call),
                    call.requestId(),
                    failure.getMessage());
        } else {
            LOG.error(
                    "{} {} failed, request {}",
                    call.method(),
                    CallLog.shown(call),
                    call.requestId(),
                    failure);
        }
        try {
            return door.failed(call, failure);
        } catch (RuntimeException e) {
            LOG.error(
                    "The door {} failed to word a failure, request {}",
                    door.name(),
                    call.requestId(),
                    e);
            return LAST_RESORT;
        }
    }

    private void send(
            Call call,
            Answer answer,
            boolean close,
            BytesInFlight.Hold hold,
            RoutingResponse response) {
        response.status(Status.create(answer.status()));
        response.header(REQUEST_ID, call.requestId());
        call.answerHeaders()
                .forEach((name, value) -> response.header(OwnHeaders.name(name), value));
        answer.headers().forEach((name, value) -> response.header(OwnHeaders.name(name), value));
        if (close) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        byte[] body = answer.body();
        AnswerStream.Writer writer = answer.stream();
        if (body.length > 0 || writer != null) {
            response.header(HeaderNames.CONTENT_TYPE, answer.contentType());
        }
        if (writer != null && !call.method().equals("HEAD")) {
            stream(call, writer, hold, response);
            return;
        }
        Watchdog.Watch watch = watchdog.arm(writeTime);
        try {
            if (call.method().equals("HEAD") && body.length > 0) {
                response.header(HeaderNames.CONTENT_LENGTH, String.valueOf(body.length));
                response.send();
            } else {
                response.send(body);
            }
        } finally {
            watchdog.disarm(watch);
        }
    }

    private void stream(
            Call call,
            AnswerStream.Writer writer,
            BytesInFlight.Hold hold,
            RoutingResponse response) {
        var out = new AnswerStream(response.outputStream(), capacity, hold, watchdog, writeTime);
        try {
            out.run(writer, response::commit);
        } catch (InterruptedException | IOException | CloseConnectionException | Refusal e) {
            // Gone, or sends what cannot be read on: nothing that is wrong here.
            LOG.debug("The stream of request {} ended early", call.requestId(), e);
            throw new CloseConnectionException("The stream ended early", e);
        } catch (Exception e) {
            Endpoint endpoint = call.endpoint();
            // The status is sent: what is left to say is in the log and in the missing end.
            failed(call, endpoint == null ? router.defaultDoor() : router.doorOf(endpoint), e);
            throw new CloseConnectionException("The stream failed", e);
        }
    }

    /// The path of a target in absolute form (`GET http://host/path`), which a server must take;
    /// others as they are.
    static String originForm(String rawPath) {
        if (rawPath.startsWith("/")) {
            return rawPath;
        }
        int authority = rawPath.startsWith("http://") ? 7 : rawPath.startsWith("https://") ? 8 : -1;
        if (authority < 0) {
            return rawPath;
        }
        int path = rawPath.indexOf('/', authority);
        return path < 0 ? "/" : rawPath.substring(path);
    }

    static List<String> values(Headers headers, String name) {
        HeaderName headerName = OwnHeaders.name(name);
        return headers.contains(headerName) ? headers.get(headerName).allValues() : List.of();
    }

    /// An answer to a request that never became one: Helidon could not read it.
    Answer unreadable(Call call, int status, String message) {
        Door door = router.doorOf(call.path());
        return worded(new Refusal((by, of) -> by.refused(of, status, message)), door, call);
    }

    Call callOf(String method, String target, @Nullable Headers headers) {
        int end = target.indexOf('?');
        return new Call(
                ids.next(),
                method,
                originForm(end < 0 ? target : target.substring(0, end)),
                name -> headers == null ? List.of() : values(headers, name),
                null,
                trustedProxies,
                RequestBody.NONE);
    }
}
