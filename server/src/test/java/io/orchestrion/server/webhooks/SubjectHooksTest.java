package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.testkit.HookReceiver.Got;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

/// What engines tell of their subjects reaches those who ask for it, and nobody else.
class SubjectHooksTest extends HooksFixture {
    private final UUID account = UUID.fromString(tasks.accountId());
    private final UUID execution = UUID.randomUUID();

    private void tell(SubjectEvent... events) {
        Kernel kernel = server.kernel().kernel();
        kernel.database()
                .transaction(
                        tx -> {
                            kernel.subjects().append(tx, account, List.of(events));
                            return null;
                        });
    }

    private void run() {
        tell(
                SubjectEvent.of("execution", execution, 1, "started", null, "running")
                        .with("{\"input\":\"x\"}", "order-7"));
        tell(SubjectEvent.of("execution", execution, 2, "ended", "running", "done"));
    }

    @Test
    void a_receiver_hears_of_the_events_it_asked_for_once_and_by_their_names() {
        webhook("/in", "execution.started", "execution.ended");
        webhook("/tasks", "task.created");
        run();
        until("both came", () -> receiver.got("/in").size() >= 2);
        pump();
        List<Got> got = receiver.got("/in");
        assertThat(got)
                .extracting(
                        each -> each.json().path("event_name").asString(),
                        each -> each.json().path("subject_id").asString(),
                        each -> each.json().path("sequence").asInt())
                .containsExactly(
                        tuple("execution.started", execution.toString(), 1),
                        tuple("execution.ended", execution.toString(), 2));
        JsonNode first = got.getFirst().json();
        assertThat(first.path("subject_type").asString()).isEqualTo("execution");
        assertThat(first.path("next_state").asString()).isEqualTo("running");
        assertThat(first.path("prev_state").isNull()).isTrue();
        assertThat(first.path("correlation_id").asString()).isEqualTo("order-7");
        assertThat(first.at("/data/input").asString()).isEqualTo("x");
        assertThat(got).extracting(each -> each.header("webhook-id")).doesNotHaveDuplicates();
        assertThat(receiver.got("/tasks")).isEmpty();
    }

    @Test
    void a_name_that_no_engine_has_is_refused() {
        assertThat(register(receiver.url("/in"), "execution.exploded").status()).isEqualTo(400);
    }

    @Test
    void a_page_and_a_stream_of_events_have_subjects_only_where_they_are_asked_for() {
        String task = tasks.create("mail");
        run();
        assertThat(api.get("/v1/events").at("/events")).hasSize(1);
        Reply page = api.get("/v1/events?include=subjects");
        assertThat(page.at("/events")).hasSize(1);
        assertThat(page.text("/events/0/taskId")).isEqualTo(task);
        assertThat(page.at("/subjectEvents"))
                .extracting(each -> each.path("place").asInt())
                .containsExactly(1, 2);
        JsonNode started = page.at("/subjectEvents/0");
        assertThat(started.at("/subject/kind").asString()).isEqualTo("execution");
        assertThat(started.at("/subject/id").asString()).isEqualTo(execution.toString());
        assertThat(started.path("event").asString()).isEqualTo("started");
        assertThat(started.at("/data/input").asString()).isEqualTo("x");
        assertThat(page.text("/agent_contract/next_actions/0/endpoint"))
                .contains("include=subjects");
        Reply after =
                api.get(
                        "/v1/events?include=subjects,owned&after="
                                + page.text("/subjectEvents/0/id"));
        assertThat(
                        StreamSupport.stream(after.at("/subjectEvents").spliterator(), false)
                                .map(each -> each.path("event").asString()))
                .containsExactly("ended");
        assertThat(api.get("/v1/events?include=subjects&type=execution").at("/subjectEvents"))
                .hasSize(2);
        assertThat(api.get("/v1/events").at("/subjectEvents").isMissingNode()).isTrue();
        assertThat(api.get("/v1/events?include=everything").status()).isEqualTo(400);
        String stream = api.get("/v1/events/stream?seconds=0&include=subjects").text();
        assertThat(stream).contains("event: created", "event: execution.started");
        assertThat(api.get("/v1/events/stream?seconds=0").text()).doesNotContain("execution");
    }
}
