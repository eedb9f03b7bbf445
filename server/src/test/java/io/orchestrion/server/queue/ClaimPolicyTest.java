package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// What a worker may take: what it asks for, within what its token allows.
class ClaimPolicyTest extends QueueFixture {

    /// The whole of what the database holds of a job, to see that nothing of it changed.
    private String row(String id) {
        return server.database().value("select work::text from work where id = ?::uuid", id);
    }

    ///
    @Test
    void a_type_that_was_not_asked_for_stays_queued() {
        String id = queue.enqueue("b");
        assertThat(queue.worker("w").claimed("\"allowedTypes\":[\"a\"]")).isEmpty();
        assertThat(queue.status(id)).isEqualTo("queued");
    }

    ///
    @Test
    void without_asked_types_any_type_of_the_token_is_given() {
        String b = queue.enqueue("b");
        String a = queue.enqueue("a");
        QueueApi.Worker bound = queue.worker("w", "\"allowedJobTypes\":[\"a\"]");
        assertThat(bound.claimed()).isEqualTo(a);
        assertThat(queue.worker("x").claimed()).isEqualTo(b);
    }

    ///
    @Test
    void a_token_for_one_type_never_gets_another() {
        String b = queue.enqueue("b");
        QueueApi.Worker bound = queue.worker("w", "\"allowedJobTypes\":[\"a\"]");
        assertThat(bound.claimed("\"allowedTypes\":[\"b\"]")).isEmpty();
        assertThat(bound.claimed("\"allowedTypes\":[\"a\",\"b\"]")).isEmpty();
        assertThat(queue.status(b)).isEqualTo("queued");
    }

    /// Q-022..Q-024, L-025: who may take a job of which repository.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ["Owner/Project"]           | {"repository":"Owner/Project"}      | true
                    ["Owner/Project"]           | {"repository":"owner/PROJECT"}      | true
                    ["OWNER/project"]           | {"repository":"Owner/Project"}      | true
                    ["Owner/Project"]           | {"repository":"Owner/Other"}        | false
                    ["Owner/Project"]           | {"repository":"Owner/Project2"}     | false
                    ["Owner/Project2"]          | {"repository":"Owner/Project"}      | false
                    ["Owner"]                   | {"repository":"Owner/Project"}      | false
                    ["Owner/Project"]           | {"repository":"Project"}            | false
                    ["Owner/Project"]           | {}                                  | false
                    ["Owner/Project"]           | {"repository":null}                 | false
                    ["Owner/Project"]           | {"other":{"repository":"Owner/Project"}} | false
                    ["a/b","Owner/Project"]     | {"repository":"Owner/Project"}      | true
                    []                          | {"repository":"Owner/Project"}      | false
                    []                          | {}                                  | false
                    ["Owner/*"]                 | {"repository":"owner/anything"}     | true
                    ["owner/*"]                 | {"repository":"OWNER/Anything"}     | true
                    ["Owner/*"]                 | {"repository":"Owner2/anything"}    | false
                    ["Owner/*"]                 | {"repository":"Own/anything"}       | false
                    ["Owner/*"]                 | {"repository":"Owner"}              | false
                    ["Owner/*"]                 | {}                                  | false
                    ["Owner/*","a/b"]           | {"repository":"A/B"}                | true
                    """)
    void a_token_for_repositories_gets_jobs_of_those_only(
            String allowed, String payload, boolean given) {
        String id = queue.enqueue("t", payload);
        QueueApi.Worker bound = queue.worker("w", "\"allowedRepositories\":" + allowed);
        assertThat(bound.claimed()).isEqualTo(given ? id : "");
        assertThat(queue.status(id)).isEqualTo(given ? "running" : "queued");
        // The payload says it as it was sent, whatever is compared.
        assertThat(queue.get(id).at("/payload").toString()).isEqualTo(payload);
    }

    /// Q-025..Q-029: who may take a job that asks for capabilities.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                | ''                    | {}                                        | true
                    ''                | ''                    | {"requiredCapabilities":["git","gh"]}     | true
                    ''                | ["git"]               | {"requiredCapabilities":["git","gh"]}     | false
                    ''                | ["gh","git"]          | {"requiredCapabilities":["git","gh"]}     | true
                    ''                | []                    | {"requiredCapabilities":["git"]}          | false
                    ''                | []                    | {"requiredCapabilities":[]}               | true
                    ''                | []                    | {}                                        | true
                    ["git"]           | ''                    | {"requiredCapabilities":["git"]}          | true
                    ["git"]           | ''                    | {"requiredCapabilities":["git","gh"]}     | false
                    ["git"]           | ["git","gh"]          | {"requiredCapabilities":["gh"]}           | false
                    ["git"]           | ["git","gh"]          | {"requiredCapabilities":["git"]}          | true
                    ["git","gh"]      | ["gh"]                | {"requiredCapabilities":["git"]}          | false
                    ["git"]           | ["Git"]               | {"requiredCapabilities":["Git"]}          | false
                    []                | ["git"]               | {"requiredCapabilities":["git"]}          | false
                    []                | ''                    | {"requiredCapabilities":["git"]}          | false
                    []                | ["git"]               | {}                                        | true
                    ["git"]           | ["git"]               | {"requiredCapabilities":["git","git"]}    | true
                    """)
    void a_worker_needs_all_capabilities_of_a_job(
            String token, String asked, String payload, boolean given) {
        String id = queue.enqueue("t", payload);
        QueueApi.Worker worker =
                queue.worker("w", token.isEmpty() ? "" : "\"capabilities\":" + token);
        assertThat(worker.claimed(asked.isEmpty() ? "" : "\"workerCapabilities\":" + asked))
                .isEqualTo(given ? id : "");
        assertThat(queue.status(id)).isEqualTo(given ? "running" : "queued");
    }

    /// of types, too.
    @Test
    void an_empty_list_allows_nothing_and_an_absent_one_everything() {
        String id = queue.enqueue("t", "{\"repository\":\"a/b\"}");
        assertThat(queue.worker("w", "\"allowedJobTypes\":[]").claimed()).isEmpty();
        assertThat(queue.worker("w", "\"allowedRepositories\":[]").claimed()).isEmpty();
        assertThat(queue.worker("w").claimed("\"allowedTypes\":[]")).isEmpty();
        assertThat(queue.worker("w").claimed()).isEqualTo(id);
    }

    ///
    @Test
    void what_one_worker_may_not_take_stands_in_nobodys_way() {
        String first = queue.enqueue("t", "{\"repository\":\"x/y\"}", "\"priority\":100");
        String second = queue.enqueue("t", "{\"requiredCapabilities\":[\"gpu\"]}");
        String third = queue.enqueue("t", "{\"repository\":\"a/b\"}");
        QueueApi.Worker held =
                queue.worker("w", "\"allowedRepositories\":[\"a/b\"],\"capabilities\":[\"git\"]");
        assertThat(held.claimed()).isEqualTo(third);
        assertThat(held.claimed()).isEmpty();
        QueueApi.Worker free = queue.worker("x");
        assertThat(List.of(free.claimed(), free.claimed())).containsExactly(first, second);
    }

    /// nothing of a job changes when it is looked at and left.
    @Test
    void a_claim_in_vain_leaves_no_trace() {
        String id = queue.enqueue("t", "{\"repository\":\"a/b\"}");
        String before = row(id);
        assertThat(queue.worker("w", "\"allowedRepositories\":[\"c/d\"]").claimed()).isEmpty();
        assertThat(queue.worker("w").claim("\"leaseSeconds\":0").status()).isEqualTo(400);
        assertThat(queue.plain().post(QueueApi.JOBS + "/claim", "{\"workerId\":\"w\"}").status())
                .isEqualTo(401);
        assertThat(row(id)).isEqualTo(before);
        assertThat(queue.lifecycle(id)).hasSize(1);
    }

    /// what an operator changes about a token holds from the next claim on.
    @Test
    void a_changed_token_is_another_policy_at_once() {
        String a = queue.enqueue("a");
        String b = queue.enqueue("b");
        QueueApi.Worker worker = queue.worker("w", "\"allowedJobTypes\":[\"a\"]");
        assertThat(worker.claimed()).isEqualTo(a);
        assertThat(worker.claimed()).isEmpty();
        Reply changed =
                queue.keyed()
                        .send(
                                "PATCH",
                                "/api/queue/workers/tokens/" + worker.tokenId(),
                                "{\"allowedJobTypes\":[\"b\"]}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(worker.claimed()).isEqualTo(b);
        Reply off =
                queue.keyed().post("/api/queue/workers/tokens/" + worker.tokenId() + "/deactivate");
        assertThat(off.status()).isEqualTo(200);
        assertThat(worker.claim("").status()).isEqualTo(401);
    }

    /// a key of the account has no policy but what it asks for.
    @Test
    void a_key_may_take_whatever_it_asks_for() {
        String id = queue.enqueue("t", "{\"repository\":\"a/b\",\"requiredCapabilities\":[\"x\"]}");
        QueueApi.Worker keyed = queue.keyWorker("anybody");
        assertThat(keyed.claimed("\"workerCapabilities\":[\"y\"]")).isEmpty();
        assertThat(keyed.claimed("\"allowedTypes\":[\"u\"]")).isEmpty();
        assertThat(keyed.claimed()).isEqualTo(id);
    }
}
