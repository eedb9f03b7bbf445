package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkOwner;
import io.orchestrion.kernel.work.WorkVerbs;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// A result that what the task belongs to does not accept, as the worker is told of it.
class RejectedResultTest {
    /// Accepts results with an answer.
    private static final class Picky implements WorkOwner {
        @Override
        public String kind() {
            return "picky";
        }

        @Override
        public Set<UUID> lock(Tx tx, UUID accountId, List<UUID> ownerIds) {
            return Set.copyOf(ownerIds);
        }

        @Override
        public WorkError judge(Tx tx, WorkItem item, Command.Complete said) {
            return String.valueOf(said.result()).contains("answer")
                    ? null
                    : WorkError.of("schema_violation", "answer is missing");
        }

        @Override
        public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) {}
    }

    private static String claimed(TestServer server, TaskApi tasks) {
        UUID account = UUID.fromString(tasks.accountId());
        Submitted made =
                server.kernel()
                        .kernel()
                        .work()
                        .submit(
                                Submission.of(
                                        NewWork.of(account, Profiles.STEPS, "step", "{}")
                                                .ownedBy(
                                                        new WorkItem.OwnerRef(
                                                                "picky", UUID.randomUUID()))));
        String id = ((Submitted.Created) made).view().item().id().toString();
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
        return id;
    }

    @Test
    void the_worker_is_answered_422_with_the_reason_and_told_to_go_on_with_something_else() {
        try (var server =
                new TestServer(options -> options.withOwners(List.of(Jobs.owner(), new Picky())))) {
            TaskApi tasks = server.account();
            String id = claimed(server, tasks);
            Reply reply = tasks.verb(id, "complete", "{\"result\":{\"a\":1}}");
            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.error()).isEqualTo("result_rejected");
            assertThat(reply.text()).contains("schema_violation", "answer is missing");
            assertThat(reply.at("/agent_contract/retryable").asBoolean()).isFalse();
            assertThat(reply.at("/agent_contract/next_actions/0/action").asString())
                    .isEqualTo("claim_task");
            assertThat(new Stored(server).state(id)).isEqualTo("failed");
            String accepted = claimed(server, tasks);
            assertThat(tasks.verb(accepted, "complete", "{\"result\":{\"answer\":1}}").status())
                    .isEqualTo(200);
        }
    }
}
