package io.orchestrion.bench.load;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The runs door for one thread that waits for each answer.
public final class RunClient implements AutoCloseable {
    private final RunRequests requests;
    private final HttpLine line;

    public RunClient(int port, String key) throws IOException {
        requests = new RunRequests(port, key);
        line = new HttpLine(port);
    }

    /// The id of a run that was started.
    public String started(String plan, long maxTokens) throws IOException {
        byte[] id = line.exchange(requests.create(plan, maxTokens)).run();
        line.exchange(requests.start().id(id));
        return "run_" + new String(id, StandardCharsets.US_ASCII);
    }

    public String status(String run) throws IOException {
        return read(requests.get(run)).path("status").asString();
    }

    /// The ids of all that is below a run, page by page.
    ///
    /// @param verb under which its pages are timed
    /// @param below such as `/agents`
    public List<String> all(String verb, String run, String below, int limit, Latencies into)
            throws IOException {
        var ids = new ArrayList<String>();
        String cursor = "";
        do {
            long began = System.nanoTime();
            JsonNode page = read(requests.page(verb, run, below, limit, cursor));
            into.record(verb, began);
            page.path("items").forEach(item -> ids.add(item.path("id").asString()));
            cursor =
                    page.path("next_cursor")
                            .asStringOpt()
                            .map(next -> URLEncoder.encode(next, StandardCharsets.UTF_8))
                            .orElse("");
        } while (!cursor.isEmpty());
        return ids;
    }

    private JsonNode read(Request request) throws IOException {
        return JsonMapper.shared().readTree(line.exchange(request).body());
    }

    @Override
    public void close() {
        line.close();
    }
}
