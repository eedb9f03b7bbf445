package io.orchestrion.kernel.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.lifecycle.TransitionTable.Row;

import org.junit.jupiter.api.Test;

class TransitionTableTest {
    private enum Light {
        RED,
        GREEN,
        BROKEN
    }

    private enum Happening {
        SWITCH,
        FALL
    }

    private final TransitionTable<Light, Happening> table =
            TransitionTable.<Light, Happening>empty()
                    .row(Light.RED, Happening.SWITCH, Light.GREEN)
                    .row(Light.GREEN, Happening.SWITCH, Light.RED)
                    .row(Light.GREEN, Happening.FALL, Light.BROKEN)
                    .row(Light.GREEN, Happening.FALL, Light.RED);

    @Test
    void what_has_no_row_is_not_allowed() {
        assertThat(table.allows(Light.RED, Happening.SWITCH, Light.GREEN)).isTrue();
        assertThat(table.allows(Light.RED, Happening.SWITCH, Light.RED)).isFalse();
        assertThat(table.allows(Light.RED, Happening.FALL)).isFalse();
        assertThat(table.allows(Light.BROKEN, Happening.SWITCH)).isFalse();
    }

    @Test
    void an_event_may_lead_to_several_states() {
        assertThat(table.targets(Light.GREEN, Happening.FALL))
                .containsExactlyInAnyOrder(Light.BROKEN, Light.RED);
        assertThat(table.targets(Light.BROKEN, Happening.FALL)).isEmpty();
    }

    @Test
    void a_row_given_twice_is_refused() {
        assertThatThrownBy(() -> table.row(Light.RED, Happening.SWITCH, Light.GREEN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("given twice");
    }

    @Test
    void a_narrower_table_keeps_order_and_leaves_the_wider_one_as_it_was() {
        TransitionTable<Light, Happening> narrow =
                table.only(row -> row.event() == Happening.SWITCH);
        assertThat(narrow.rowsInOrder())
                .containsExactly(
                        new Row<>(Light.RED, Happening.SWITCH, Light.GREEN),
                        new Row<>(Light.GREEN, Happening.SWITCH, Light.RED));
        assertThat(table.rows()).hasSize(4);
    }
}
