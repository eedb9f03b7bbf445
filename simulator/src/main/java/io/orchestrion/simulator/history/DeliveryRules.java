package io.orchestrion.simulator.history;

import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.simulator.history.Observed.Receipt;
import io.orchestrion.simulator.history.Observed.Receiver;
import io.orchestrion.simulator.history.Violation.Finds;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Whether receivers got what they asked for, in order and signed, and nothing else.
final class DeliveryRules {
    private record Line(String receiver, UUID job) {}

    private final Observed seen;
    private final Finds finds;
    private final Map<UUID, Story> stories = new HashMap<>();
    private final Map<UUID, Event> events = new HashMap<>();
    private final Map<String, Receiver> receivers = new HashMap<>();

    DeliveryRules(Observed seen, Finds finds) {
        this.seen = seen;
        this.finds = finds;
        for (Story story : seen.stories()) {
            stories.put(story.id(), story);
            story.events().forEach(event -> events.put(event.id(), event));
        }
        seen.receivers().forEach(receiver -> receivers.put(receiver.name(), receiver));
    }

    void check() {
        seen.receipts().forEach(this::receipt);
        Map<Line, List<Receipt>> lines =
                seen.receipts().stream()
                        .filter(each -> each.jobId() != null)
                        .sorted(Comparator.comparingLong(Receipt::number))
                        .collect(
                                Collectors.groupingBy(
                                        each ->
                                                new Line(
                                                        each.receiver(),
                                                        Objects.requireNonNull(each.jobId()))));
        lines.forEach(this::order);
        Map<String, Set<UUID>> taken = new HashMap<>();
        for (Receipt receipt : seen.receipts()) {
            if (receipt.eventId() != null && receipt.answered() / 100 == 2) {
                taken.computeIfAbsent(receipt.receiver(), _ -> new HashSet<>())
                        .add(receipt.eventId());
            }
        }
        for (Story story : seen.stories()) {
            if (!story.deleted()) {
                arrived(story, taken);
                log(story);
            }
        }
    }

    private void receipt(Receipt receipt) {
        Receiver receiver = receivers.get(receipt.receiver());
        Story story = receipt.jobId() == null ? null : stories.get(receipt.jobId());
        if (receiver == null || story == null || receipt.eventName() == null) {
            finds.add(
                    Rule.DELIVERY_OWN,
                    receipt.jobId(),
                    receipt.receiver() + " got " + receipt.eventName() + " of no job of this run");
            return;
        }
        boolean foreign =
                receiver.client() != story.client()
                        || (receiver.events() == null && !receiver.name().equals(story.receiver()));
        if (foreign || !receiver.asks(receipt.eventName())) {
            finds.add(
                    Rule.DELIVERY_OWN,
                    story.id(),
                    receiver.name()
                            + " got "
                            + receipt.eventName()
                            + (foreign
                                    ? " of a job that is not its own"
                                    : " and did not ask for it"));
        }
        boolean unsigned = receipt.signed() == null && receiver.events() != null;
        if (unsigned || Boolean.FALSE.equals(receipt.signed())) {
            finds.add(
                    Rule.DELIVERY_SIGNED,
                    story.id(),
                    receiver.name()
                            + " got "
                            + receipt.eventName()
                            + (unsigned ? " without a signature" : " with a wrong signature"));
        }
        if (!story.deleted()) {
            content(receipt, receiver, story);
        }
    }

    private void content(Receipt receipt, Receiver receiver, Story story) {
        Event event = receipt.eventId() == null ? null : events.get(receipt.eventId());
        boolean same =
                event != null
                        && event.jobId().equals(receipt.jobId())
                        && event.name().equals(receipt.eventName())
                        && Objects.equals(event.prevState(), receipt.prevState())
                        && event.nextState().equals(receipt.nextState())
                        && event.at().equals(receipt.at())
                        && String.valueOf(receipt.eventId()).equals(receipt.messageId())
                        && receipt.scenario() != null;
        if (!same) {
            finds.add(
                    Rule.DELIVERY_CONTENT,
                    story.id(),
                    receiver.name() + " got " + receipt + ", the report has " + event);
        }
    }

    /// By first arrivals: what is sent again may come late.
    private void order(Line line, List<Receipt> receipts) {
        var met = new HashSet<UUID>();
        Receipt latest = null;
        for (Receipt receipt : receipts) {
            if (receipt.eventId() == null || receipt.at() == null || !met.add(receipt.eventId())) {
                continue;
            }
            if (latest != null
                    && latest.at() != null
                    && receipt.at().isBefore(Objects.requireNonNull(latest.at()))) {
                finds.add(
                        Rule.DELIVERY_ORDER,
                        line.job(),
                        line.receiver()
                                + " got "
                                + receipt.eventName()
                                + " after "
                                + latest.eventName());
            }
            latest = receipt;
        }
    }

    private void arrived(Story story, Map<String, Set<UUID>> taken) {
        for (Receiver receiver : seen.receivers()) {
            boolean theirs =
                    receiver.events() == null
                            ? receiver.name().equals(story.receiver())
                            : receiver.client() == story.client();
            if (!theirs || !receiver.accepts()) {
                continue;
            }
            for (Event event : story.events()) {
                if (receiver.asks(event.name())
                        && !taken.getOrDefault(receiver.name(), Set.of()).contains(event.id())) {
                    finds.add(
                            Rule.DELIVERED,
                            story.id(),
                            event.name() + " did not arrive at " + receiver.name());
                }
            }
        }
    }

    /// What the server says it did with a callback.
    private void log(Story story) {
        Receiver receiver = story.receiver() == null ? null : receivers.get(story.receiver());
        if (receiver == null || story.deliveries().isEmpty()) {
            return;
        }
        boolean delivered =
                story.deliveries().stream().allMatch(each -> each.state().equals("delivered"));
        boolean failed =
                story.deliveries().stream()
                        .anyMatch(each -> each.state().equals("failed") && each.attemptCount() > 1);
        if (receiver.accepts() ? !delivered : !failed) {
            finds.add(
                    Rule.DELIVERY_STATE,
                    story.id(),
                    receiver.name()
                            + (receiver.accepts() ? " accepts" : " never accepts")
                            + ", and the log says "
                            + story.deliveries().stream()
                                    .map(Delivery::state)
                                    .distinct()
                                    .collect(Collectors.joining(", ")));
        }
    }
}
