package io.orchestrion.app.docs;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.kernel.schema.SchemaLimit;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.limits.RateLimit;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What each plan allows, from the catalogues that are enforced.
final class LimitsPage {
    private LimitsPage() {}

    static String text() {
        List<Plan> plans = Plans.PUBLISHED.listed();
        var out =
                new StringBuilder(
                        """
                        # Plans and limits in numbers

                        Made from the catalogues that the server enforces; do not edit. [plans.md](../guides/plans.md) says how they are
                        counted and changed.

                        | plan | USD | live leases | tasks a month | claims an hour | creates an hour | days kept |
                        |---|---|---|---|---|---|---|
                        """);
        for (Plan plan : plans) {
            out.append(
                    "| %s | %s | %s | %s | %s | %s | %d |\n"
                            .formatted(
                                    plan.name(),
                                    plan.priceUsd(),
                                    number(plan.maxWorkers()),
                                    number(plan.maxTasksPerMonth()),
                                    number(plan.maxClaimsPerHour()),
                                    number(plan.maxCreatesPerHour()),
                                    plan.retentionDays()));
        }
        out.append("\nRequests, by the name under which `--plans-file` changes a limit:\n\n");
        out.append("| limit | for | by | window | ");
        out.append(plans.stream().map(Plan::name).collect(Collectors.joining(" | ")));
        out.append(" |\n|---|---|---|---|").append("---|".repeat(plans.size())).append('\n');
        for (RateLimit limit : Doors.LIMITS.all()) {
            out.append(
                    "| `%s` | %s | %s | %s min | %s |\n"
                            .formatted(
                                    limit.name(),
                                    limit.endpoint(),
                                    limit.by().word(),
                                    limit.window().toMinutes(),
                                    plans.stream()
                                            .map(plan -> number(limit.maxFor(plan)))
                                            .collect(Collectors.joining(" | "))));
        }
        out.append(
                "\nSchemas of [types](../guides/types.md), and what checks against them cost:\n\n");
        out.append("| at most | |\n|---|---|\n");
        for (SchemaLimit limit : SchemaLimit.values()) {
            out.append("| %s | %s |\n".formatted(limit.said(), limit.meaning()));
        }
        return out.toString();
    }

    private static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
