package io.orchestrion.simulator.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.simulator.history.Observed.Receipt;
import io.orchestrion.simulator.history.Observed.Receiver;
import io.orchestrion.simulator.history.Told.OneJob;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// What goes wrong on the way to a receiver is found.
class DeliveryRulesTest {
    private final Told told = new Told();
    private final OneJob job = Told.succeeded();

    DeliveryRulesTest() {
        told.with(job);
    }

    private static Receiver webhook(int client, String... events) {
        return new Receiver("hook", client, "ACCEPTS", true, List.of(events));
    }

    private void received(Event event, Boolean signed, int answered) {
        told.receipts.add(
                new Receipt(
                        "hook",
                        told.receipts.size(),
                        event.id().toString(),
                        signed,
                        event.id(),
                        event.jobId(),
                        event.name(),
                        event.prevState(),
                        event.nextState(),
                        event.at(),
                        "SUCCESS_FAST",
                        answered));
    }

    private void everything() {
        told.receivers.add(
                webhook(
                        Told.OWNER,
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.succeeded"));
        job.events.forEach(event -> received(event, true, 200));
    }

    private List<Rule> broken() {
        return Checker.check(told.observed()).stream().map(Violation::rule).distinct().toList();
    }

    private void change(int index, UnaryOperator<Receipt> by) {
        told.receipts.set(index, by.apply(told.receipts.get(index)));
    }

    @Test
    void what_came_in_order_and_twice_is_right() {
        everything();
        received(job.events.getFirst(), true, 200);
        assertThat(broken()).isEmpty();
    }

    @Test
    void an_event_that_never_came_or_was_never_taken_is_found() {
        everything();
        told.receipts.remove(2);
        assertThat(broken()).containsExactly(Rule.DELIVERED);
        received(job.events.get(2), true, 500);
        assertThat(broken()).contains(Rule.DELIVERED);
    }

    @Test
    void a_wrong_order_is_found() {
        everything();
        Collections.swap(told.receipts, 1, 3);
        for (int i = 0; i < told.receipts.size(); i++) {
            int number = i;
            change(
                    i,
                    each ->
                            new Receipt(
                                    each.receiver(),
                                    number,
                                    each.messageId(),
                                    each.signed(),
                                    each.eventId(),
                                    each.jobId(),
                                    each.eventName(),
                                    each.prevState(),
                                    each.nextState(),
                                    each.at(),
                                    each.scenario(),
                                    each.answered()));
        }
        assertThat(broken()).containsExactly(Rule.DELIVERY_ORDER);
    }

    @Test
    void a_wrong_or_missing_signature_is_found() {
        told.receivers.add(webhook(Told.OWNER, "job.succeeded"));
        received(job.events.getLast(), false, 200);
        assertThat(broken()).containsExactly(Rule.DELIVERY_SIGNED);
        told.receipts.clear();
        received(job.events.getLast(), null, 200);
        assertThat(broken()).containsExactly(Rule.DELIVERY_SIGNED);
    }

    @Test
    void what_was_not_asked_for_or_is_of_others_is_found() {
        told.receivers.add(webhook(Told.OWNER, "job.succeeded"));
        received(job.events.getFirst(), true, 200);
        received(job.events.getLast(), true, 200);
        assertThat(broken()).containsExactly(Rule.DELIVERY_OWN);
        told.receipts.removeFirst();
        assertThat(broken()).isEmpty();
        told.receivers.set(0, webhook(Told.OWNER + 1, "job.succeeded"));
        assertThat(broken()).containsExactly(Rule.DELIVERY_OWN);
        told.receipts.clear();
        Event stray = Told.succeeded().events.getLast();
        received(stray, true, 200);
        assertThat(broken()).containsExactly(Rule.DELIVERY_OWN);
    }

    @Test
    void the_general_names_have_the_special_ones_with_them() {
        Receiver hook = webhook(1, "job.succeeded", "job.failed");
        assertThat(hook.asks("job.emitted")).isTrue();
        assertThat(hook.asks("job.timed_out")).isTrue();
        assertThat(hook.asks("job.canceled")).isFalse();
    }

    @Test
    void a_message_that_says_something_else_than_the_report_is_found() {
        everything();
        change(
                4,
                each ->
                        new Receipt(
                                each.receiver(),
                                4,
                                each.messageId(),
                                true,
                                each.eventId(),
                                each.jobId(),
                                each.eventName(),
                                "QUEUED",
                                each.nextState(),
                                each.at(),
                                each.scenario(),
                                200));
        assertThat(broken()).containsExactly(Rule.DELIVERY_CONTENT);
        change(
                4,
                each ->
                        new Receipt(
                                each.receiver(),
                                4,
                                "another",
                                true,
                                each.eventId(),
                                each.jobId(),
                                each.eventName(),
                                "RUNNING",
                                each.nextState(),
                                each.at(),
                                each.scenario(),
                                200));
        assertThat(broken()).containsExactly(Rule.DELIVERY_CONTENT);
    }

    private Delivery delivery(String state, int attempts) {
        return new Delivery(
                UUID.randomUUID(),
                null,
                job.id,
                UUID.randomUUID(),
                "job.created",
                null,
                state,
                null,
                null,
                attempts,
                List.of());
    }

    @Test
    void a_delivery_log_that_tells_another_end_is_found() {
        told.receivers.add(new Receiver("hook", Told.OWNER, "ACCEPTS", true, null));
        job.receiver = "hook";
        job.events.forEach(event -> received(event, null, 200));
        job.deliveries = List.of(delivery("delivered", 1), delivery("pending", 1));
        assertThat(broken()).containsExactly(Rule.DELIVERY_STATE);
        job.deliveries = List.of(delivery("delivered", 1));
        assertThat(broken()).isEmpty();
        told.receivers.set(0, new Receiver("hook", Told.OWNER, "FAILS", false, null));
        assertThat(broken()).containsExactly(Rule.DELIVERY_STATE);
        job.deliveries = List.of(delivery("failed", 1));
        assertThat(broken()).containsExactly(Rule.DELIVERY_STATE);
        job.deliveries = List.of(delivery("failed", 4), delivery("pending", 0));
        assertThat(broken()).isEmpty();
    }
}
