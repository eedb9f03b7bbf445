package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BytesInFlightTest {
    private final BytesInFlight memory = new BytesInFlight(new HttpOptions.Memory(1000, 250));

    private BytesInFlight.Hold hold(Urgency urgency, String owner) {
        BytesInFlight.Hold hold = memory.hold();
        hold.of(urgency, () -> owner);
        return hold;
    }

    private static int status(Refusal refusal) {
        var call =
                new Call(
                        "req_x",
                        "POST",
                        "/",
                        _ -> java.util.List.of(),
                        null,
                        AddressRanges.NONE,
                        RequestBody.NONE);
        return refusal.by(new Fixture.PlainDoor("plain", "/"), call).status();
    }

    private static void refused(int status, Runnable taking) {
        assertThatThrownBy(taking::run)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(status(refusal)).isEqualTo(status));
    }

    @Test
    void an_account_is_refused_beyond_its_share_and_others_go_on() {
        BytesInFlight.Hold first = hold(Urgency.ORDINARY, "a");
        BytesInFlight.Hold second = hold(Urgency.ORDINARY, "a");
        first.take(200);
        refused(429, () -> second.take(60));
        assertThat(memory.held()).isEqualTo(200);
        second.take(50);
        hold(Urgency.ORDINARY, "b").take(250);
        first.close();
        second.take(60);
    }

    @Test
    void one_large_call_of_an_account_is_let_in_when_it_is_alone() {
        BytesInFlight.Hold large = hold(Urgency.ORDINARY, "a");
        large.take(300);
        large.take(300);
        refused(429, () -> hold(Urgency.ORDINARY, "a").take(1));
        large.close();
        assertThat(memory.held()).isZero();
        assertThat(memory.owners()).isZero();
    }

    @Test
    void the_last_part_is_for_holders() {
        for (String owner : new String[] {"a", "b", "c"}) {
            hold(Urgency.ORDINARY, owner).take(250);
        }
        refused(503, () -> hold(Urgency.ORDINARY, "d").take(51));
        refused(503, () -> hold(Urgency.PROBE, "d").take(51));
        BytesInFlight.Hold holder = hold(Urgency.HOLDER, "d");
        holder.take(250);
        refused(503, () -> hold(Urgency.HOLDER, "e").take(1));
        holder.close();
        hold(Urgency.HOLDER, "e").take(1);
    }

    @Test
    void what_is_there_already_is_counted_beyond_every_bound() {
        BytesInFlight.Hold reading = hold(Urgency.ORDINARY, "a");
        reading.add(5000);
        refused(503, () -> hold(Urgency.HOLDER, "b").take(1));
        reading.answers(100);
        assertThat(memory.held()).isEqualTo(100);
        reading.close();
        assertThat(memory.held()).isZero();
    }

    @Test
    void once_the_account_is_known_the_bytes_are_its_own() {
        var owner = new String[] {"address"};
        BytesInFlight.Hold hold = memory.hold();
        hold.of(Urgency.ORDINARY, () -> owner[0]);
        hold.take(200);
        owner[0] = "a";
        hold.take(40);
        hold(Urgency.ORDINARY, "address").take(250);
        refused(429, () -> hold(Urgency.ORDINARY, "a").take(11));
    }

    @Test
    void a_chunk_is_held_until_the_next_and_a_small_one_is_never_refused() {
        BytesInFlight.Hold full = hold(Urgency.ORDINARY, "b");
        full.add(5000);
        BytesInFlight.Hold hold = hold(Urgency.ORDINARY, "a");
        hold.chunk(100);
        hold.chunk(60);
        assertThat(memory.held()).isEqualTo(5060);
        refused(503, () -> hold.chunk(100_000));
        assertThat(memory.held()).isEqualTo(5000);
        hold.chunk(10);
        hold.answers(7);
        hold.chunk(20);
        assertThat(memory.held()).isEqualTo(5027);
        hold.close();
        assertThat(memory.held()).isEqualTo(5000);
    }
}
