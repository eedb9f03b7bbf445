package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.flow.FlowPicker.Head;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

class FlowPickerTest {
    private final List<Head> heads = new ArrayList<>();
    private int turn;

    /// A key with so many items at its head and so much room.
    private void key(String concurrency, String rate, int items, Integer slots, Integer starts) {
        turn++;
        for (int i = 0; i < items; i++) {
            String flowKey = concurrency + (char) 31 + rate;
            heads.add(new Head(turn, flowKey, false, slots, starts, 60_000L, UUID.randomUUID()));
        }
    }

    private List<String> picked(int wanted) {
        var picker = new FlowPicker(wanted);
        picker.offer(heads);
        return picker.picked().stream()
                .map(each -> each.flowKey().replace((char) 31, '/'))
                .toList();
    }

    @Test
    void the_first_of_each_key_comes_before_the_second_of_any() {
        key("a", "", 3, 3, null);
        key("b", "", 1, 3, null);
        key("c", "", 3, 3, null);
        assertThat(picked(6)).containsExactly("a/", "b/", "c/", "a/", "c/", "a/");
        assertThat(picked(2)).containsExactly("a/", "b/");
    }

    @Test
    void lines_of_one_concurrency_key_share_its_slots() {
        key("a", "r", 2, 3, null);
        key("a", "s", 2, 3, null);
        assertThat(picked(9)).containsExactly("a/r", "a/s", "a/r");
    }

    @Test
    void lines_of_one_rate_key_share_its_starts() {
        key("a", "r", 2, 9, 1);
        key("b", "r", 2, 9, 1);
        key("b", "s", 1, 9, 1);
        assertThat(picked(9)).containsExactly("a/r", "b/s");
    }

    /// The second page reads the same room again, of which the first has taken its part.
    @Test
    void what_one_page_took_is_taken_for_the_next() {
        var picker = new FlowPicker(9);
        key("a", "r", 1, 1, null);
        picker.offer(heads);
        heads.clear();
        key("a", "s", 1, 1, null);
        picker.offer(heads);
        assertThat(picker.picked()).hasSize(1);
    }

    @Test
    void a_key_without_a_limit_is_not_held_back() {
        key("", "", 5, null, null);
        assertThat(picked(9)).hasSize(5);
    }

    @Test
    void a_key_that_could_be_taken_for_two_is_refused() {
        assertThatThrownBy(() -> new FlowKey("a" + (char) 31, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FlowKey("", null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowKey.read("a")).isInstanceOf(IllegalArgumentException.class);
        assertThat(FlowKey.read(new FlowKey("ä b", null).written()))
                .isEqualTo(new FlowKey("ä b", null));
    }
}
