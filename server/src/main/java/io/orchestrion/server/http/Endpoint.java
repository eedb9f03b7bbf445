package io.orchestrion.server.http;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// One operation of the API as data: routing, OpenAPI, the tool manifest and the docs are all read
/// from it.
///
/// @param name the operation's id, unique in the catalogue
/// @param path the path with parameters in braces, such as `/v1/tasks/{id}/claim`
/// @param query the query parameters, declared like the fields of a body
/// @param request the JSON body, null when there is none
/// @param responses what each status answers with
/// @param errors the error codes of the door that are this operation's own; what its gates and the
///     pipeline answer with follows from the rest
/// @param door the name of the door it belongs to
/// @param limit the name of the rate limit that it counts against, empty for none of its own
/// @param scopes what a key must be for, one of them at least; empty for any key
/// @param urgency whose places it is served from when there is much to do
/// @param maxBodyBytes a longer body is refused before the rest is read
/// @param notes what the documents say of it beside all this
public record Endpoint(
        String name,
        String method,
        String path,
        Access access,
        String summary,
        ObjectSpec query,
        @Nullable ObjectSpec request,
        Map<Integer, ObjectSpec> responses,
        List<String> errors,
        String door,
        String limit,
        Set<String> scopes,
        Urgency urgency,
        int maxBodyBytes,
        Notes notes) {
    public static final int MAX_BODY_BYTES_DEFAULT = 256 * 1024;

    public Endpoint {
        PathTemplate.parse(path);
        responses = Collections.unmodifiableMap(new TreeMap<>(responses));
        errors = List.copyOf(errors);
        scopes = Collections.unmodifiableSet(new TreeSet<>(scopes));
    }

    /// What only the documents read.
    ///
    /// @param requestHeaders the headers that mean something to this operation alone
    /// @param answerHeaders what its own headers say, on answers that are no errors
    /// @param otherAnswers the media type of each status that answers with something else than a
    ///     declared object, empty for no body at all
    /// @param destructive true when it takes something away for good
    /// @param rawBody the media type of a body that is taken as it is, empty where none is
    public record Notes(
            List<Field> requestHeaders,
            Map<String, String> answerHeaders,
            Map<Integer, String> otherAnswers,
            boolean destructive,
            String rawBody) {
        public Notes {
            requestHeaders = List.copyOf(requestHeaders);
            answerHeaders = Collections.unmodifiableMap(new TreeMap<>(answerHeaders));
            otherAnswers = Collections.unmodifiableMap(new TreeMap<>(otherAnswers));
        }
    }

    public static Builder get(String name, String path) {
        return new Builder(name, "GET", path);
    }

    public static Builder post(String name, String path) {
        return new Builder(name, "POST", path);
    }

    public static Builder put(String name, String path) {
        return new Builder(name, "PUT", path);
    }

    public static Builder patch(String name, String path) {
        return new Builder(name, "PATCH", path);
    }

    public static Builder delete(String name, String path) {
        return new Builder(name, "DELETE", path);
    }

    /// The path as documents for people write it: `/v1/tasks/:id/claim`.
    public String colonPath() {
        return path.replaceAll("\\{([^/]*)}", ":$1");
    }

    /// The names of the parameters in the path, in order.
    public List<String> pathParameters() {
        return PathTemplate.parse(path).parameters();
    }

    /// Builds an endpoint; a key is asked for unless it is declared public.
    public static final class Builder {
        private final String name;
        private final String method;
        private final String path;
        private final ObjectSpec query;
        private final Map<Integer, ObjectSpec> responses = new TreeMap<>();
        private Access access = Access.KEY;
        private String summary = "";
        private @Nullable ObjectSpec request;
        private List<String> errors = List.of();
        private String door = "";
        private String limit = "";
        private Set<String> scopes = Set.of();
        private Urgency urgency = Urgency.ORDINARY;
        private int maxBodyBytes = MAX_BODY_BYTES_DEFAULT;
        private final List<Field> requestHeaders = new ArrayList<>();
        private final Map<String, String> answerHeaders = new TreeMap<>();
        private final Map<Integer, String> otherAnswers = new TreeMap<>();
        private boolean destructive;
        private String rawBody = "";

        private Builder(String name, String method, String path) {
            this.name = name;
            this.method = method;
            this.path = path;
            this.query = ObjectSpec.named(name + "Query");
        }

        public Builder access(Access access) {
            this.access = access;
            return this;
        }

        public Builder summary(String summary) {
            this.summary = summary;
            return this;
        }

        /// Optional query parameters.
        public Builder query(Field... parameters) {
            for (Field parameter : parameters) {
                query.optional(parameter);
            }
            return this;
        }

        public Builder requiredQuery(Field parameter) {
            query.required(parameter);
            return this;
        }

        public Builder unknownQuery(ObjectSpec.Unknown unknown) {
            query.unknown(unknown);
            return this;
        }

        public Builder request(ObjectSpec body) {
            this.request = body;
            return this;
        }

        public Builder response(int status, ObjectSpec body) {
            responses.put(status, body);
            return this;
        }

        public Builder errors(String... codes) {
            this.errors = List.of(codes);
            return this;
        }

        public Builder door(String door) {
            this.door = door;
            return this;
        }

        public Builder limit(String limit) {
            this.limit = limit;
            return this;
        }

        public Builder scopes(String... scopes) {
            this.scopes = Set.of(scopes);
            return this;
        }

        public Builder urgency(Urgency urgency) {
            this.urgency = urgency;
            return this;
        }

        public Builder maxBodyBytes(int bytes) {
            this.maxBodyBytes = bytes;
            return this;
        }

        public Builder requestHeader(Field header) {
            requestHeaders.add(header);
            return this;
        }

        public Builder answerHeader(String header, String meaning) {
            answerHeaders.put(header, meaning);
            return this;
        }

        /// An answer that is no declared object; an empty media type means no body.
        public Builder answers(int status, String mediaType) {
            otherAnswers.put(status, mediaType);
            return this;
        }

        public Builder destructive() {
            this.destructive = true;
            return this;
        }

        /// A body that is no JSON and is read as it comes, however long it is.
        public Builder rawBody(String mediaType) {
            this.rawBody = mediaType;
            return this;
        }

        public Endpoint build() {
            return new Endpoint(
                    name,
                    method,
                    path,
                    access,
                    summary,
                    query,
                    request,
                    responses,
                    errors,
                    door,
                    limit,
                    scopes,
                    urgency,
                    maxBodyBytes,
                    new Notes(requestHeaders, answerHeaders, otherAnswers, destructive, rawBody));
        }
    }
}
