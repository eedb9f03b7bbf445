package io.orchestrion.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

class ChangedLimitsTest {
    private static final Plan SMALL =
            new Plan("free", "Tiny", BigDecimal.ZERO, 1, 9, 7, 11, 3, false);
    private static final Plan LARGE =
            new Plan("huge", "Huge", new BigDecimal("99.50"), 99, 9000, 8000, 7000, 365, true);

    /// T-308, T-302: a server with other limits and plans shows those, in each document that shows
    /// any, and keeps to them.
    @Test
    void other_limits_and_plans_show_in_every_document() {
        RateLimits limits =
                Doors.LIMITS.with(
                        Map.of(
                                RateLimits.LIST, 31,
                                RateLimits.REGISTER, 1_000,
                                RateLimits.CAPABILITIES, 77));
        Plans plans = Plans.PUBLISHED.with(List.of(SMALL, LARGE));
        try (var server =
                new TestServer(
                        options -> options.withPlans(plans),
                        options -> options.withLimits(limits))) {
            Reply capabilities = server.anonymous().get("/v1/capabilities");
            assertThat(limit(capabilities, "GET /v1/tasks")).isEqualTo("31/hour");
            assertThat(limit(capabilities, "GET /v1/capabilities")).isEqualTo("77/minute");
            // What a plan sets: creates, five looks for each claim, and the worker's verbs.
            assertThat(limit(capabilities, "POST /v1/tasks")).isEqualTo("11/hour (plan-aware)");
            assertThat(limit(capabilities, "POST /v1/tasks/claim"))
                    .isEqualTo("35/hour (plan-aware)");
            assertThat(capabilities.at("/billing/plans").values())
                    .extracting(plan -> plan.get("id").asString())
                    .containsExactly("free", "basic", "pro", "agency", "huge");
            assertThat(capabilities.at("/billing/plans/0").toString())
                    .isEqualTo(
                            "{\"id\":\"free\",\"name\":\"Tiny\",\"priceUsd\":0,\"maxWorkers\":1,"
                                + "\"maxTasksPerMonth\":9,\"maxClaimsPerHour\":7,"
                                + "\"maxCreatesPerHour\":11,\"retentionDays\":3,\"purchasable\":false}");
            assertThat(capabilities.text("/billing/notes/0")).contains("Tiny tier");

            assertThat(server.anonymous().get("/v1/tool").text())
                    .contains("Limit: 31/hour per API key", "Limit: 11/hour (plan-aware)");
            JsonNode schema = server.anonymous().get("/v1/schema").body();
            assertThat(schema.at("/paths/~1v1~1tasks/get/x-rate-limit/limit").asString())
                    .isEqualTo("31/hour");
            assertThat(server.anonymous().get("/v1/billing/plans").at("/plans"))
                    .isEqualTo(capabilities.at("/billing/plans"));
            keepsTo(server.account("free"));
        }
    }

    /// What the documents say is what a caller meets.
    private static void keepsTo(TaskApi tiny) {
        for (int i = 0; i < SMALL.maxTasksPerMonth(); i++) {
            tiny.create("t");
        }
        assertThat(create(tiny).error()).isEqualTo("quota_exceeded");
        assertThat(create(tiny).error()).isEqualTo("quota_exceeded");
        assertThat(create(tiny).error()).as("of eleven in the hour").isEqualTo("rate_limited");
        for (int i = 0; i < SMALL.maxClaimsPerHour(); i++) {
            String id = tiny.claim("t").text("/task/id");
            assertThat(id).isNotEmpty();
            assertThat(tiny.claim("t").error()).isEqualTo("max_workers_reached");
            tiny.verb(id, "complete");
        }
        assertThat(tiny.claim("t").error()).isEqualTo("rate_limited");
        for (int i = 0; i < 31; i++) {
            assertThat(tiny.api().get("/v1/tasks").status()).isEqualTo(200);
        }
        assertThat(tiny.api().get("/v1/tasks").error()).isEqualTo("rate_limited");
    }

    private static Reply create(TaskApi account) {
        return account.api().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
    }

    /// T-308: and the same documents without a change are others.
    @Test
    void the_tag_of_a_document_changes_with_a_limit() {
        String published = tag(Doors.LIMITS);
        assertThat(tag(Doors.LIMITS)).isEqualTo(published);
        assertThat(tag(Doors.LIMITS.with(Map.of(RateLimits.LIST, 31)))).isNotEqualTo(published);
    }

    private static String tag(RateLimits limits) {
        var documents = new Documents(Facts.of(Doors.ALL, limits, Plans.PUBLISHED, "PayPal", "1"));
        return Document.of("application/json", documents.capabilities()).etag();
    }

    private static String limit(Reply capabilities, String endpoint) {
        return capabilities.at("/rate_limits/limits").values().stream()
                .filter(row -> row.get("endpoint").asString().equals(endpoint))
                .map(row -> row.get("limit").asString())
                .findFirst()
                .orElseThrow();
    }
}
