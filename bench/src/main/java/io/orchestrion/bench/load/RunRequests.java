package io.orchestrion.bench.load;

/// The verbs of the runs door as requests of one account to one server.
public final class RunRequests {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final String RUNS = "/api/v1/runs";
    private static final String ONE = RUNS + "/run_" + Request.BLANK;

    private final Messages messages;

    public RunRequests(int port, String key) {
        messages = new Messages(port, key);
    }

    public int port() {
        return messages.port();
    }

    /// @param maxTokens for which its start reserves credits
    public Request create(String plan, long maxTokens) {
        return messages.post(
                "create",
                CREATED,
                "\"status\":\"created\"",
                RUNS,
                "{\"name\":\"bench\",\"task\":\"be measured\",\"max_tokens\":"
                        + maxTokens
                        + ",\"plan\":"
                        + plan
                        + "}");
    }

    /// Of the run whose id is written into it.
    public Request start() {
        return messages.post("start", OK, "\"status\":\"pending\"", ONE + "/start", "{}");
    }

    /// Of the run whose id is written into it.
    public Request cancel() {
        return messages.post("cancel", OK, "\"status\":\"cancelled\"", ONE + "/cancel", "{}");
    }

    Request get(String run) {
        return messages.get("get", RUNS + "/" + run);
    }

    /// A page of what is below a run.
    ///
    /// @param below such as `/agents`
    /// @param cursor of the page before; empty for the first
    Request page(String verb, String run, String below, int limit, String cursor) {
        return messages.get(
                verb,
                RUNS
                        + "/"
                        + run
                        + below
                        + "?limit="
                        + limit
                        + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
    }
}
