package io.orchestrion.server.http;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.Values;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;

/// One request on its way through gates and handler. It lives on one thread.
public final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    /// The names under which paths have the id of an item.
    private static final List<String> SUBJECTS = List.of("job_id", "jobId", "id");

    private final String requestId;
    private final String method;
    private final String path;
    private final Function<String, List<String>> headers;
    private final @Nullable InetAddress peer;
    private final AddressRanges trustedProxies;
    private final RequestBody body;
    private final Map<Class<?>, Object> attached = new HashMap<>(4);
    private final Map<String, String> answerHeaders = new LinkedHashMap<>(4);
    private Map<String, String> pathParameters = Map.of();
    private Map<String, List<String>> query = Map.of();
    private @Nullable Endpoint endpoint;
    private @Nullable String door;
    private @Nullable Fault fault;
    private final Map<String, UUID> named = new HashMap<>(2);
    private @Nullable UUID subject;
    private boolean refusedForLoad;

    /// Replaced on first use: nearly no call has any.
    private List<AutoCloseable> afterwards = List.of();

    Call(
            String requestId,
            String method,
            String path,
            Function<String, List<String>> headers,
            @Nullable InetAddress peer,
            AddressRanges trustedProxies,
            RequestBody body) {
        this.requestId = requestId;
        this.method = method;
        this.path = path;
        this.headers = headers;
        this.peer = peer;
        this.trustedProxies = trustedProxies;
        this.body = body;
    }

    void route(Endpoint endpoint, Map<String, String> pathParameters) {
        this.endpoint = endpoint;
        this.pathParameters = pathParameters;
    }

    void query(Map<String, List<String>> query) {
        this.query = query;
    }

    RequestBody requestBody() {
        return body;
    }

    /// Ours, unique, and the same in the answer's `X-Request-Id`, the log and the error body.
    public String requestId() {
        return requestId;
    }

    public String method() {
        return method;
    }

    /// The path as received, still encoded and without the query.
    public String path() {
        return path;
    }

    /// The endpoint that was matched, null for a call that matched none.
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /// The door that words the answer, also to what matched no endpoint; null before it is known.
    public @Nullable String door() {
        return door;
    }

    void door(String name) {
        door = name;
    }

    /// A decoded parameter of the endpoint's path.
    public String pathParameter(String name) {
        String value = pathParameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "The path of " + matched().name() + " has no parameter " + name);
        }
        return value;
    }

    /// The decoded query parameters as sent, unchecked.
    public Map<String, List<String>> query() {
        return query;
    }

    /// The query parameters by the endpoint's declaration.
    public Values queryValues() {
        return matched().query().readQuery(query);
    }

    public Optional<String> header(String name) {
        List<String> lines = headers(name);
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getFirst());
    }

    /// Every value of a header, one for each line it was sent on.
    public List<String> headers(String name) {
        return headers.apply(name);
    }

    /// The address of the peer: of the client or of the proxy nearest to us.
    public String remoteAddress() {
        return peer == null ? "" : Addresses.text(peer);
    }

    /// Where the request comes from: the peer, or what a trusted proxy says is behind it.
    public ClientAddress clientAddress() {
        return ClientAddress.of(peer, trustedProxies, headers);
    }

    /// Who the memory of the call is counted for: the account, or the address while no account is
    /// known.
    Object owner() {
        return attached(Principal.class)
                .<Object>map(Principal::accountId)
                .orElseGet(() -> clientAddress().limitSubject());
    }

    /// The line in which the call waits for a place. No key has been looked up yet, so it is chosen
    /// by the credential that was sent.
    Object callerInLine() {
        return header("Authorization").orElseGet(this::remoteAddress);
    }

    /// The whole body, at most as long as the endpoint allows.
    public byte[] body() {
        return body.read(matched().maxBodyBytes());
    }

    /// The body line by line. However long it is, only one line is held, and each line has the body
    /// time to arrive.
    ///
    /// @param heldBytes how much of the body the caller holds at once beside a line
    public Lines lines(int maxLineBytes, int heldBytes) {
        return body.lines(maxLineBytes, heldBytes);
    }

    /// How long the body is; null when that was not sent.
    public @Nullable Long bodyLength() {
        return body.length();
    }

    /// The body part by part. However long it is, only a part of 64 KiB is held, and each part has
    /// the body time to arrive. A client that is slower, or that goes away in the middle, ends the
    /// call with an unchecked exception, after which nobody is answered.
    ///
    /// @param heldBytes how much memory the caller takes beside that
    public InputStream bodyStream(int heldBytes) {
        return body.stream(heldBytes);
    }

    /// Closes something when the call is over, however it ends, its answer included.
    public void closeAfterwards(AutoCloseable closed) {
        if (afterwards.isEmpty()) {
            afterwards = new ArrayList<>(2);
        }
        afterwards.add(closed);
    }

    /// The answer is sent, or nobody is there to be answered.
    void over() {
        for (AutoCloseable each : afterwards) {
            try {
                each.close();
            } catch (Exception e) {
                LOG.warn("something of request {} could not be closed", requestId, e);
            }
        }
        afterwards = List.of();
    }

    /// Runs what waits, such as a long poll, without holding one of the places for calls in flight.
    /// Nothing else may be held meanwhile, no transaction in particular. When too many wait or the
    /// server is stopping, the call ends with the door's word for overload.
    ///
    /// @param wake called once the server begins to stop: it makes the wait end soon
    public <T> T waiting(Callable<T> wait, Runnable wake) throws Exception {
        return attached(Capacity.Place.class).orElseThrow().waiting(wait, wake);
    }

    /// The JSON body by the endpoint's declaration. A body that does not fit ends the call with the
    /// door's refusal.
    public Values json() {
        ObjectSpec spec = matched().request();
        if (spec == null) {
            throw new IllegalStateException(matched().name() + " declares no request body");
        }
        return json(spec);
    }

    /// The JSON body by a declaration that is less strict than the endpoint's, for a handler that
    /// checks the parts by themselves.
    public Values json(ObjectSpec spec) {
        return spec.read(jsonBytes());
    }

    /// The body as it was sent, which says that it is JSON, for a handler that reads it by itself.
    public byte[] jsonBytes() {
        byte[] bytes = body();
        if (bytes.length > 0 && !isJson(header("Content-Type").orElse(""))) {
            throw new Refusal(Door::unsupportedMediaType);
        }
        return bytes;
    }

    /// Absent counts as JSON, as many small clients send none; another charset than UTF-8 does not.
    private static boolean isJson(String contentType) {
        // Nearly all clients write it in this form.
        if (contentType.equals(Answer.JSON)) {
            return true;
        }
        String type = contentType.toLowerCase(Locale.ROOT).replace(" ", "").replace("\"", "");
        return type.isEmpty()
                || type.equals("application/json")
                || type.equals("application/json;charset=utf-8");
    }

    /// Leaves something for those after: a gate attaches who the caller is, the handler asks for
    /// it.
    public <T> void attach(Class<T> type, T value) {
        attached.put(type, value);
    }

    public <T> Optional<T> attached(Class<T> type) {
        return Optional.ofNullable(attached.get(type)).map(type::cast);
    }

    /// The same, which is not attached any more.
    <T> Optional<T> detached(Class<T> type) {
        return Optional.ofNullable(attached.remove(type)).map(type::cast);
    }

    /// What went wrong, as the log says it.
    public record Fault(String code, String message) {}

    /// Notes with which error the call is answered.
    public void fault(String code, String message) {
        fault = new Fault(code, message);
    }

    /// Null when nothing went wrong.
    public @Nullable Fault fault() {
        return fault;
    }

    /// Notes that there was no room for the call.
    void refuseForLoad() {
        refusedForLoad = true;
    }

    boolean refusedForLoad() {
        return refusedForLoad;
    }

    /// Notes which item the call is about, where its path does not say so.
    public void about(UUID id) {
        subject = id;
    }

    /// Notes an id of what the call is about beside items, where its path does not say so.
    public void about(String name, UUID id) {
        named.put(name, id);
    }

    /// An id that the path or the handler gives under that name; null for none.
    public @Nullable UUID id(String name) {
        UUID noted = named.get(name);
        String inPath = pathParameters.get(name);
        return noted != null || inPath == null ? noted : uuidOrNull(inPath);
    }

    /// The item that the call is about; null when it is about none or not one alone.
    public @Nullable UUID subject() {
        // A call that matched no endpoint has no parameters either.
        if (subject == null && endpoint != null) {
            for (String name : SUBJECTS) {
                String id = pathParameters.get(name);
                // Keys and schedules have an id too.
                boolean item = !name.equals("id") || endpoint.path().startsWith("/v1/tasks/");
                if (id != null && item) {
                    return uuidOrNull(id);
                }
            }
        }
        return subject;
    }

    private static @Nullable UUID uuidOrNull(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Adds a header to the answer, whichever code writes it.
    public void answerHeader(String name, String value) {
        answerHeaders.put(name, value);
    }

    Map<String, String> answerHeaders() {
        return answerHeaders;
    }

    private Endpoint matched() {
        if (endpoint == null) {
            throw new IllegalStateException("This call matched no endpoint");
        }
        return endpoint;
    }
}
