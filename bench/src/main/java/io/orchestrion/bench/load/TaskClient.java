package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The tasks door over one connection. Ids and tokens are cut out of the text: to read the JSON of
/// every answer would measure a JSON library.
public final class TaskClient implements AutoCloseable {
    private static final int UUID_LENGTH = 36;

    private final HttpLine line;

    public TaskClient(int port, String key) throws IOException {
        line = new HttpLine(port, key);
    }

    /// A task that this client holds.
    public record Held(String id, String leaseToken) {}

    /// The new task's id.
    public String create(String type) throws IOException {
        return create(type, "");
    }

    /// @param more fields, each with a comma before it
    public String create(String type, String more) throws IOException {
        String body = "{\"type\":\"" + type + "\",\"payload\":" + Sample.PAYLOAD + more + "}";
        expect(201, line.post("/v1/tasks", body), "create");
        return after(line.body(), "\"id\":\"", 0);
    }

    /// Null when there was nothing.
    public @Nullable Held claim(String type, int waitSeconds) throws IOException {
        String body =
                waitSeconds == 0
                        ? "{\"type\":\"" + type + "\"}"
                        : "{\"type\":\"" + type + "\",\"waitSeconds\":" + waitSeconds + "}";
        expect(200, line.post("/v1/tasks/claim", body), "claim");
        String answer = line.body();
        return answer.startsWith("{\"task\":null") ? null : held(answer, 0);
    }

    public void complete(Held held) throws IOException {
        expect(
                200,
                line.post(
                        "/v1/tasks/" + held.id() + "/complete",
                        "{\"leaseToken\":\""
                                + held.leaseToken()
                                + "\",\"result\":"
                                + Sample.RESULT
                                + "}"),
                "complete");
    }

    public void fail(Held held) throws IOException {
        expect(
                200,
                line.post(
                        "/v1/tasks/" + held.id() + "/fail",
                        "{\"leaseToken\":\""
                                + held.leaseToken()
                                + "\",\"lastFailureReason\":\"the model was overloaded\"}"),
                "fail");
    }

    public void heartbeat(Held held) throws IOException {
        expect(
                200,
                line.post(
                        "/v1/tasks/" + held.id() + "/heartbeat",
                        "{\"leaseToken\":\"" + held.leaseToken() + "\"}"),
                "heartbeat");
    }

    public void createMany(String type, int count) throws IOException {
        String task = "{\"type\":\"" + type + "\",\"payload\":" + Sample.PAYLOAD + "}";
        var body = new StringBuilder("{\"tasks\":[").append(task);
        for (int i = 1; i < count; i++) {
            body.append(',').append(task);
        }
        expect(200, line.post("/v1/tasks/batch", body.append("]}").toString()), "batch create");
        expectAll("created", count);
    }

    public List<Held> claimMany(String type, int most) throws IOException {
        expect(
                200,
                line.post(
                        "/v1/tasks/batch/claim",
                        "{\"type\":\"" + type + "\",\"max\":" + most + "}"),
                "batch claim");
        String answer = line.body();
        var held = new ArrayList<Held>();
        int from = answer.indexOf("\"task\":{");
        while (from >= 0) {
            held.add(held(answer, from));
            from = answer.indexOf("\"task\":{", from + 1);
        }
        return held;
    }

    public void completeMany(List<Held> held) throws IOException {
        many("complete", held, ",\"result\":" + Sample.RESULT);
    }

    public void heartbeatMany(List<Held> held) throws IOException {
        many("heartbeat", held, "");
    }

    private void many(String verb, List<Held> held, String more) throws IOException {
        var body = new StringBuilder("{\"items\":[");
        for (Held each : held) {
            body.append(body.charAt(body.length() - 1) == '[' ? "" : ",")
                    .append("{\"id\":\"")
                    .append(each.id())
                    .append("\",\"leaseToken\":\"")
                    .append(each.leaseToken())
                    .append('"')
                    .append(more)
                    .append('}');
        }
        expect(200, line.post("/v1/tasks/batch/" + verb, body.append("]}").toString()), verb);
        expectAll("done", held.size());
    }

    /// A key of an account of its own.
    public String register(String name) throws IOException {
        expect(201, line.post("/v1/keys/register", "{\"name\":\"" + name + "\"}"), "register");
        String answer = line.body();
        int from = answer.indexOf("\"apiKey\":\"") + "\"apiKey\":\"".length();
        return answer.substring(from, answer.indexOf('"', from));
    }

    private static Held held(String answer, int from) {
        return new Held(after(answer, "\"id\":\"", from), after(answer, "\"leaseToken\":\"", from));
    }

    private static String after(String answer, String mark, int from) {
        int place = answer.indexOf(mark, from) + mark.length();
        return answer.substring(place, place + UUID_LENGTH);
    }

    private void expect(int wanted, int status, String what) {
        if (status != wanted) {
            throw new Refused(what, status, line.body());
        }
    }

    private void expectAll(String field, int count) {
        String answer = line.body();
        if (!answer.contains("\"" + field + "\":" + count + ",")) {
            throw new Refused("a batch of " + count, 200, answer);
        }
    }

    @Override
    public void close() {
        line.close();
    }
}
