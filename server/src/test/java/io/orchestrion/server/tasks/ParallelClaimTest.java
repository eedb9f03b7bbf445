package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

class ParallelClaimTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    private List<String> create(int threads, int each) {
        return Parallel.run(
                        threads,
                        _ ->
                                () -> {
                                    var ids = new ArrayList<String>();
                                    for (int i = 0; i < each; i++) {
                                        ids.add(tasks.create("shared"));
                                    }
                                    return ids;
                                })
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /// T-152.
    @Test
    void fifty_claims_at_once_get_fifty_different_tasks() {
        List<String> created = create(10, 5);
        List<String> claimed = Parallel.run(50, _ -> () -> tasks.claim("shared").text("/task/id"));
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(created);
    }

    /// T-152: and again and again, until a thousand are gone.
    @Test
    void fifty_claimers_hand_out_a_thousand_tasks_once_each() {
        List<String> created = create(20, 50);
        List<String> claimed =
                Parallel.run(50, _ -> this::claimUntilEmpty).stream()
                        .flatMap(List::stream)
                        .toList();
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(created);
        long once =
                server.database()
                        .value(
                                "select count(*) from work where account_id = ?"
                                        + " and state = 'running' and attempt = 1"
                                        + " and lease_number = 1",
                                UUID.fromString(tasks.accountId()));
        assertThat(once).isEqualTo(1000);
        long leases =
                server.database()
                        .value(
                                "select count(*) from work_event where account_id = ?"
                                        + " and event = 'lease'",
                                UUID.fromString(tasks.accountId()));
        assertThat(leases).isEqualTo(1000);
    }

    private List<String> claimUntilEmpty() {
        var mine = new ArrayList<String>();
        for (String id = tasks.claim("shared").text("/task/id");
                !id.isEmpty();
                id = tasks.claim("shared").text("/task/id")) {
            mine.add(id);
        }
        return mine;
    }
}
