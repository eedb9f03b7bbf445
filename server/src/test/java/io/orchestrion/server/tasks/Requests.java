package io.orchestrion.server.tasks;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.taskdoor.TasksDoor;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import java.util.List;
import java.util.stream.Stream;

/// A good request for every endpoint of the door, read from its catalogue so that none is
/// forgotten.
public record Requests(String name, String method, String path, String body) {
    public static final String NO_TASK = "01890000-0000-7000-8000-000000000000";

    /// All that ask for a key, about the given task where they are about one.
    static List<Requests> authenticated(String id) {
        return of(Access.KEY, id);
    }

    static List<Requests> open() {
        return of(Access.PUBLIC, NO_TASK);
    }

    /// Both kinds.
    public static List<Requests> all(String id) {
        return Stream.concat(authenticated(id).stream(), open().stream()).toList();
    }

    /// The endpoint that it is for.
    public Endpoint endpoint() {
        return Doors.CATALOGUE.named(name).orElseThrow();
    }

    /// Those about one task.
    static List<Requests> aboutTask(String id) {
        return authenticated(id).stream()
                .filter(request -> request.path.startsWith("/v1/tasks/" + id))
                .toList();
    }

    private static List<Requests> of(Access access, String id) {
        return Doors.CATALOGUE.ofDoor(TasksDoor.NAME).stream()
                .filter(endpoint -> endpoint.access() == access)
                .map(
                        endpoint ->
                                new Requests(
                                        endpoint.name(),
                                        endpoint.method(),
                                        endpoint.path().replaceAll("\\{[^}]+}", id),
                                        body(endpoint)))
                .toList();
    }

    private static String body(Endpoint endpoint) {
        return switch (endpoint.name()) {
            case "createTask" -> "{\"type\":\"made\",\"payload\":{}}";
            case "claimNextTask" -> "{\"type\":\"made\"}";
            case "checkoutPlan", "checkout" -> "{\"planId\":\"basic\"}";
            case "createKey", "renameKey" -> "{\"name\":\"made\"}";
            case "createOperation" -> "{\"action\":\"cancel\",\"filter\":{\"type\":\"none\"}}";
            default -> null;
        };
    }

    public Reply by(Api api) {
        return with(api, "");
    }

    public Reply by(Api api, String otherBody) {
        return api.send(method, path, otherBody);
    }

    public Reply with(Api api, String query) {
        return at(api, path, query);
    }

    /// The same request sent somewhere else.
    public Reply at(Api api, String otherPath) {
        return at(api, otherPath, "");
    }

    private Reply at(Api api, String where, String query) {
        // A stream ends by itself here, as these tests read answers whole.
        String all = name.equals("streamEvents") ? query + "&seconds=0" : query;
        return api.send(method, all.isEmpty() ? where : where + "?" + all, body);
    }

    /// A task of the given status.
    public static String task(TaskApi tasks, TaskStatus status) {
        String type = "s" + status.word();
        String id = tasks.create(type, "\"maxAttempts\":1");
        switch (status) {
            case PENDING -> {}
            case CLAIMED -> tasks.verb(id, "claim");
            case COMPLETED -> {
                tasks.verb(id, "claim");
                tasks.verb(id, "complete");
            }
            case DEAD_LETTER -> {
                tasks.verb(id, "claim");
                tasks.verb(id, "fail");
            }
            case CANCELLED -> tasks.verb(id, "cancel");
        }
        return id;
    }

    @Override
    public String toString() {
        return name;
    }
}
