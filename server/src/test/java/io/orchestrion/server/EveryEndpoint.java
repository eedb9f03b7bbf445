package io.orchestrion.server;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Reply;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Asks everything that the catalogue has, each with a request that would do.
public final class EveryEndpoint {
    private static final String EXAMPLE_ID = "01970000-0000-7000-8000-000000000000";

    /// What came of one.
    public record Asked(Endpoint endpoint, Reply reply) {
        @Override
        public String toString() {
            return endpoint.method()
                    + " "
                    + endpoint.path()
                    + " -> "
                    + reply.status()
                    + " "
                    + reply.text();
        }
    }

    private EveryEndpoint() {}

    /// @param id of a task of the account, which stands for every other id too
    public static List<Asked> of(TaskApi account, String id, Predicate<Endpoint> which) {
        var asked = new ArrayList<Asked>();
        for (Endpoint endpoint : Doors.CATALOGUE) {
            if (!which.test(endpoint)) {
                continue;
            }
            ObjectSpec request = endpoint.request();
            asked.add(
                    new Asked(
                            endpoint,
                            account.api()
                                    .send(
                                            endpoint.method(),
                                            path(endpoint, account, id),
                                            request == null
                                                    ? null
                                                    : request.toExample()
                                                            .replace(EXAMPLE_ID, id))));
        }
        return asked;
    }

    private static String path(Endpoint endpoint, TaskApi account, String id) {
        return endpoint.path()
                .replace("{client_id}", account.accountId())
                .replaceAll("\\{[^/]*}", id);
    }
}
