package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.HookReceiver.Got;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// J-291, J-294. Whatever breaks off at whichever point: every event becomes one delivery, and
/// every delivery arrives at least once, with one id.
class WebhookCrashTest extends HooksFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                FanOut.NAME + ".before-commit",
                FanOut.NAME + ".after-commit",
                Deliverer.NAME + ".claimed",
                Deliverer.NAME + ".answered"
            })
    void nothing_is_lost_and_nothing_is_made_twice(String place) {
        String webhook = webhook("/in", "task.created", "task.cancelled");
        Failpoints failpoints = server.kernel().failpoints();
        int tasksMade = 6;
        var hits = new AtomicInteger();
        failpoints.arm(
                place,
                () -> {
                    hits.incrementAndGet();
                    throw new Failpoints.Injected(place);
                });
        for (int i = 0; i < tasksMade; i++) {
            tasks.verb(tasks.create("mail"), "cancel");
        }
        Until.isTrue(
                "it broke off",
                PATIENCE,
                () -> {
                    passBroken();
                    return hits.get() >= 1;
                });
        failpoints.disarm(place);
        server.clock().advance(Duration.ofSeconds(61));
        until(
                "all came",
                () -> {
                    server.clock().advance(Duration.ofSeconds(2));
                    // What a node that died held is free when its leases end, and calls that were
                    // under way when the clock went on have lost theirs, too.
                    server.sweepLeases();
                    return deliveries(webhook).size() == 2 * tasksMade
                            && deliveries(webhook).stream()
                                    .allMatch(
                                            each ->
                                                    each.get("state")
                                                            .asString()
                                                            .equals("delivered"));
                });
        Map<String, Integer> byEvent = new HashMap<>();
        for (Got got : receiver.got("/in")) {
            byEvent.merge(got.header("webhook-id"), 1, Integer::sum);
        }
        assertThat(byEvent).hasSize(2 * tasksMade);
        if (place.equals(Deliverer.NAME + ".answered")) {
            assertThat(byEvent.values()).anyMatch(count -> count > 1);
        }
        List<String> words =
                deliveries(webhook).stream()
                        .map(each -> each.get("event_name").asString())
                        .toList();
        assertThat(words).filteredOn("task.created"::equals).hasSize(tasksMade);
    }

    private static void passBroken() {
        for (String duty : List.of(FanOut.NAME, Deliverer.NAME)) {
            try {
                sweep(duty);
            } catch (Failpoints.Injected e) {
                // The node is gone here; what it had not committed never was.
            }
        }
    }
}
