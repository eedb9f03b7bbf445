package io.orchestrion.server.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.doors.Doors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

class OfferTest {
    private static Offer read(String json) throws Offer.Unreadable {
        return Offer.read(json.getBytes(StandardCharsets.UTF_8), Doors.LIMITS);
    }

    @Test
    void an_empty_file_changes_nothing() throws Exception {
        Offer offer = read("{}");
        assertThat(offer.plans().listed()).isEqualTo(Plans.PUBLISHED.listed());
        assertThat(offer.limits().all()).isEqualTo(Doors.LIMITS.all());
    }

    /// T-308.
    @Test
    void a_plan_is_changed_field_by_field_and_a_limit_by_its_name() throws Exception {
        Offer offer =
                read(
                        """
                        {"plans":[{"id":"free","maxWorkers":5},{"id":"pro","priceUsd":30.5}],
                         "limits":{"list":7,"everything":100000}}
                        """);
        assertThat(offer.plans().free().maxWorkers()).isEqualTo(5);
        assertThat(offer.plans().free().maxTasksPerMonth()).isEqualTo(200);
        assertThat(offer.plans().named("pro").priceUsd()).isEqualByComparingTo("30.5");
        assertThat(offer.limits().named("list").maxFor(offer.plans().free())).isEqualTo(7);
        assertThat(offer.limits().named("everything").max()).isEqualTo(100_000);
        assertThat(offer.limits().named("get").max()).isEqualTo(3000);
    }

    @Test
    void a_new_plan_stands_above_those_before_it() throws Exception {
        Offer offer =
                read(
                        """
                        {"plans":[{"id":"team","name":"Team","priceUsd":199,"maxWorkers":200,
                          "maxTasksPerMonth":1000000,"maxClaimsPerHour":50000,
                          "maxCreatesPerHour":30000,"retentionDays":120,"purchasable":true}]}
                        """);
        Plan team = offer.plans().named("team");
        assertThat(team.priceUsd()).isEqualByComparingTo(new BigDecimal("199"));
        assertThat(offer.plans().rank("team")).isGreaterThan(offer.plans().rank("agency"));
        assertThat(offer.plans().sells("team")).isTrue();
        assertThat(offer.limits().named("claim").maxFor(team)).isEqualTo(250_000);
        assertThat(offer.limits().named("heartbeat").maxFor(team)).isEqualTo(72_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"plans\":[{\"id\":\"team\"}]} | is a new plan and needs name, priceUsd,"
                        + " maxWorkers",
                "{\"plans\":[{\"id\":\"free\",\"maxWorkers\":0}]} | maxWorkers",
                "{\"plans\":[{\"id\":\"free\",\"priceUsd\":1}]} | the plan free must cost nothing",
                "{\"plans\":[{\"id\":\"pro\",\"priceUsd\":1.999}]} | at most two decimals",
                "{\"plans\":[{\"id\":\"pro\",\"priceUsd\":0}]} | must not be 0",
                "{\"plans\":[{\"id\":\"unlimited\",\"maxWorkers\":1}]} | the operator's own plan",
                "{\"plans\":[{\"id\":\"pro\",\"workers\":1}]} | workers",
                "{\"limits\":{\"create\":5}} | comes from the plan",
                "{\"limits\":{\"lists\":5}} | lists",
                "{\"limits\":{\"list\":0}} | list",
                "[] | object",
            })
    void what_the_file_may_not_say_is_named(String json, String said) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(Offer.Unreadable.class)
                .hasMessageContaining(said);
    }
}
