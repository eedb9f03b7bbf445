package io.orchestrion.kernel.db;

import java.util.List;

/// The kernel's own part of the schema. The tables of jobs, webhooks and billing are in it as well:
/// they are older than parts, and what has run keeps its number and its place.
final class KernelSchema {
    private static final List<String> ONCE =
            List.of(
                    "V001__kernel.sql",
                    "V002__plans.sql",
                    "V003__billing.sql",
                    "V004__keys.sql",
                    "V005__terms.sql",
                    "V006__events.sql",
                    "V007__schedules.sql",
                    "V008__bulk.sql",
                    "V009__types.sql",
                    "V010__flow.sql",
                    "V011__dependencies.sql",
                    "V012__receipts.sql",
                    "V013__one_guard.sql",
                    "V014__steady_plans.sql",
                    "V015__one_row.sql",
                    "V016__queue_policy.sql",
                    "V017__job_events.sql",
                    "V018__worker_tokens.sql",
                    "V019__jobs.sql",
                    "V020__runners.sql",
                    "V021__clients.sql",
                    "V022__webhooks.sql",
                    "V023__signals.sql",
                    "V024__history_in_row.sql",
                    "V025__fewer_statistics.sql",
                    "V026__positions_after_commit.sql",
                    "V027__reports.sql",
                    "V028__pool.sql",
                    "V029__subject_events.sql",
                    "V031__window_totals.sql",
                    "V033__published_items.sql",
                    "V034__no_outbox.sql",
                    "V035__subject_events_stay.sql",
                    "V036__finer_scopes.sql",
                    "V037__audit_trail.sql",
                    "V038__runs_scope.sql",
                    "V039__subject_data_as_sent.sql");

    private static final List<String> BY_ACCOUNT =
            List.of(
                    "account",
                    "work",
                    "event_chunk",
                    "event_log",
                    "subject_event",
                    "event_fold",
                    "log_reader",
                    "idempotency",
                    "work_receipt",
                    "claim_receipt",
                    "claim_lease",
                    "work_dependency",
                    "parent_end",
                    "work_unique",
                    "work_type",
                    "flow_ring",
                    "flow_start",
                    "job_event",
                    "job_log",
                    "schedule",
                    "schedule_fire",
                    "bulk_operation",
                    "audit_head",
                    "audit",
                    "client",
                    "plan_period",
                    "usage_month",
                    "purchase",
                    "payment_entry",
                    "local_order",
                    "job",
                    "job_definition",
                    "job_report",
                    "job_retry",
                    "job_problem",
                    "webhook_endpoint",
                    "webhook_secret",
                    "webhook_delivery",
                    "webhook_attempt");

    private static final List<String> EVERYWHERE =
            List.of("api_key", "worker_token", "worker_token_secret");

    /// The windows of limits are here because each take is one call for several accounts.
    private static final List<String> AT_THE_ENTRY =
            List.of(
                    "allowance",
                    "event_era",
                    "event_total",
                    "job_capacity",
                    "runner",
                    "schema_migration");

    static final SchemaPart PART =
            SchemaPart.of("kernel", KernelSchema.class)
                    .once(ONCE)
                    .repeatable(List.of("R__work_guard.sql", "R__allowance.sql"))
                    .byAccount(BY_ACCOUNT)
                    .everywhere(EVERYWHERE)
                    .atTheEntry(AT_THE_ENTRY);

    private KernelSchema() {}
}
