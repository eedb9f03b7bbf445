package io.orchestrion.kernel.fault;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailpointsTest {
    @AfterEach
    void clear() {
        System.clearProperty("orchestrion.failpoints");
    }

    private static Failpoints with(String property) {
        System.setProperty("orchestrion.failpoints", property);
        return Failpoints.fromSystemProperty();
    }

    @Test
    void nothing_happens_where_nothing_is_armed() {
        assertThatCode(() -> new Failpoints().hit("submit.before-commit"))
                .doesNotThrowAnyException();
        assertThatCode(() -> with("a=throw").hit("b")).doesNotThrowAnyException();
    }

    @Test
    void the_property_arms_several_places_each_from_its_nth_hit_on() {
        Failpoints failpoints = with(" a=throw , b=throw@3");
        assertThatThrownBy(() -> failpoints.hit("a")).isInstanceOf(Failpoints.Injected.class);
        failpoints.hit("b");
        failpoints.hit("b");
        assertThatThrownBy(() -> failpoints.hit("b")).hasMessage("injected at b");
        assertThatThrownBy(() -> failpoints.hit("b")).isInstanceOf(Failpoints.Injected.class);
        failpoints.disarm("b");
        assertThatCode(() -> failpoints.hit("b")).doesNotThrowAnyException();
    }

    @Test
    void a_property_that_says_nothing_sensible_is_refused_at_the_start() {
        assertThatThrownBy(() -> with("submit.before-commit"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> with("a=explode")).hasMessageContaining("explode");
    }
}
