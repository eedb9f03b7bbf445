package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// The orchestrations door for one thread that waits for each answer.
public final class ExecutionClient implements AutoCloseable {
    private final ExecutionRequests requests;
    private final HttpLine line;

    public ExecutionClient(int port, String key) throws IOException {
        requests = new ExecutionRequests(port, key);
        line = new HttpLine(port);
    }

    /// The id of a definition that can be executed.
    public String publish(String document) throws IOException {
        String id = said(requests.define(document)).path("orchestration_definition_id").asString();
        line.exchange(requests.publish(id));
        return id;
    }

    /// The id of an execution that is under way.
    public String start(String definition, String expectedText) throws IOException {
        return said(requests.start(definition, expectedText)).path("execution_id").asString();
    }

    public String status(String execution) throws IOException {
        return said(requests.get(execution)).path("status").asString();
    }

    /// The execution with the first page of its history.
    public void get(String execution) throws IOException {
        line.exchange(requests.get(execution));
    }

    /// One page of an execution's history.
    ///
    /// @param cursor of the page before; empty for the first
    /// @return the cursor of the next page; null at the end
    public @Nullable String steps(String execution, int limit, String cursor) throws IOException {
        return said(requests.steps(execution, limit, cursor))
                .path("next_cursor")
                .asStringOpt()
                .map(next -> URLEncoder.encode(next, StandardCharsets.UTF_8))
                .orElse(null);
    }

    private JsonNode said(Request request) throws IOException {
        return JsonMapper.shared().readTree(line.exchange(request).body());
    }

    @Override
    public void close() {
        line.close();
    }
}
