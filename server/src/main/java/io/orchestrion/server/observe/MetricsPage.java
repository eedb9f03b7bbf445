package io.orchestrion.server.observe;

import io.orchestrion.kernel.totals.Totals;
import io.orchestrion.server.door.DoorDescription;

import java.util.List;
import java.util.stream.Collectors;

/// Writes `docs/guides/observability.md` from the catalogue of metrics.
final class MetricsPage {
    private MetricsPage() {}

    static String render(List<? extends DoorDescription> doors) {
        var page = new StringBuilder();
        page.append(
                """
                # Observability

                <!-- Generated from Metric.java; MetricsPageTest fails when it is out of date. To write it anew:
                     ./mvnw -pl server -am test -Dtest=MetricsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dorchestrion.generate=true -->

                A server shows what it does in three ways: metrics for Prometheus, logs as text or JSON lines, and traces by OpenTelemetry.

                ## A look without any tool

                ```
                ./orchestrion serve --log-format json --log-detail all >serve.log 2>&1 &
                until curl -fs http://127.0.0.1:8080/ready >/dev/null; do sleep 0.2; done
                ./orchestrion jobs submit --kind SUCCESS_FAST
                curl -s -H "Authorization: Bearer $(cat ~/.orchestrion/local.key)" http://127.0.0.1:8080/metrics | grep '^job'
                grep '"next_state"' serve.log
                ```

                ## Metrics

                `GET /metrics` needs a key of the server's own account `local` (the key file). The numbers are about everybody's work, so
                keys of other accounts get 403. For a scraper without a key there is a port of its own: `--metrics-port 9464`, on loopback unless
                `--metrics-host` says otherwise. Both speak the text format 0.0.4 and, when asked, OpenMetrics 1.0.

                [ops/prometheus](../../ops/prometheus) has a scrape configuration and alert rules, [ops/grafana](../../ops/grafana) a dashboard to import. A
                test compares every name in them with this table. [Deployment files](operations.md#deployment-files) say how long metrics and logs are kept.

                **Scope.** A metric of the *cluster* is counted in the database, from the event log. Every state change writes to that log in its own
                transaction. So the metric survives a kill -9, is the same on every node, and does not fall when old items are purged. Take `max` of the
                nodes, never `sum`. Each event is counted once, by the node that comes first. A scrape brings the count up to date before it answers,
                for two seconds at most. For a second after that, all scrapes get the same numbers. A metric of the *node* is kept in memory
                and begins at zero when the node starts. Add these up over the nodes.

                **Labels** have few values. `door` is @doors@. `work_kind` is the scenario of a job's definition, from the catalogue,
                and empty at the other doors. `route` is the template of a path. `subject` and `event` are words of an engine's catalogue. No label has
                an id, a key or an address.

                | name | type | scope | labels | what it is |
                |---|---|---|---|---|
                """);
        for (Metric metric : Metric.values()) {
            page.append(
                    "| `%s` | %s | %s | %s | %s |\n"
                            .formatted(
                                    metric.shown(),
                                    metric.type().name().toLowerCase(java.util.Locale.ROOT),
                                    metric.scope().name().toLowerCase(java.util.Locale.ROOT),
                                    metric.labels().stream()
                                            .map(label -> "`" + label + "`")
                                            .collect(Collectors.joining(", ")),
                                    metric.help()));
        }
        page.append(
                """

                There are also metrics of the Java virtual machine and the process: `jvm_memory_…`, `jvm_threads_…`, `process_cpu_usage`,
                `process_files_open_files`, `process_uptime_seconds`, `system_…`.

                Buckets of the histograms of the cluster, in seconds: %s.

                Some questions and what answers them:

                | question | query |
                |---|---|
                | submissions a minute | `60 * max by (door) (sum by (door, instance) (rate(jobs_submitted_total[5m])))` |
                | p95 of the wait in the queue | `histogram_quantile(0.95, max by (door, le) (rate(job_queue_wait_seconds_bucket[5m])))` |
                | p99 of an API route | `histogram_quantile(0.99, sum by (route, le) (rate(http_server_requests_seconds_bucket[5m])))` |
                | share of retries that succeed | `max by (door) (job_retry_successes_total) / max by (door) (job_retries_total)` |
                | requests that were repeats | `sum by (door) (rate(idempotency_hits_total[5m]))` |
                @questions@

                ## Logs

                `--log-format json` writes one object a line to standard error, with the fields of the event at the top level. The text form for
                people has the same fields as `name="value"` behind the message. `--log-detail` says for which doors every request and every state change
                is logged: `jobs`, the default, for the jobs, orchestrations and runs doors; `all`, or `none`. At full load of the tasks and queue doors, a line for each request would cost more than the
                work itself. So these doors log nothing unless asked, and collect nothing for the log.

                | logger | when | fields |
                |---|---|---|
                | `orchestrion.requests` | a request was answered | `request_id`, `client_id`, `job_id`, `action`, `door`, `status`, `duration_ms`, `error_code`, `error_message`, `trace_id` |
                | `orchestrion.requests` at the orchestrations and runs doors | the same | also `execution_id`, or `run_id`, `agent_id`, `task_id`, `step_id`, `artifact_id`, `escalation_id`, `approval_id`, as far as the request is about one |
                | `orchestrion.requests` (warn) | somebody was not let in, at any door | the same, with `reason`; never a key |
                | `orchestrion.transitions` | a state change was committed | `job_id`, `client_id`, `door`, `action`, `current_state`, `next_state`, `attempt`, `scenario` or `type`, `lasted_ms`, `holder`, `reason`, `correlation_id`, `trace_id`; of an item that an engine made, also `execution_id` or `run_id` |
                | `orchestrion.transitions` (warn) | an attempt failed | the same, with `error_code` and `error_message` |
                | `orchestrion.transitions` | an execution, a step, an approval or a dead letter changed | `subject`, `subject_id`, `client_id`, `door`, `action`, `current_state`, `next_state`, `lasted_ms`, `execution_id`, `correlation_id`; of a step also `step_id`, `step_execution_id`, `attempt_number`; `idempotency_key` of the execution or the step; of a failure `error_class`, `error_code`, `error_summary`, as a warning |
                | `orchestrion.transitions` | a run, an agent, a task, a step, a ticket or an approval of a run changed, credits moved, an artifact came or went | as above, with `run_id`, `agent_id`, `task_id`, `step_id`, `ticket_id` or `artifact_id` as far as there is one; `attempt_number`; of a failure `error_code` and `error`, as a warning |
                | `io.orchestrion.runs…` | a step is tried again (info), a run is planned anew (warn), a run asks for people or is given up (error), an invariant is violated (error) | `run_id`, `agent_id`, `task_id`, `step_id`; `attempt_number`, `delay_ms`, `error_code`, `error_message`; `trigger` with `errors`, `outcomes`, `window_seconds`, or with `agents_failed`, `agents`, `tasks_failed`; `reason`; `invariant`, `rule` |
                | `orchestrion.deliveries` | an attempt to deliver to a webhook ended | `job_id`, `client_id`, `action`, `webhook_id`, `delivery_id`, `event`, `attempt`, `outcome`, `status`, `duration_ms`, `error_message`, `trace_id` |

                `client_id` is there as soon as it is known, also when a key was refused because it was revoked or has expired. A request that matches no endpoint is logged
                under the door that writes the answer. `error_code` of a failed attempt at the jobs door is the code in the job's report, such as `RFA_EXEC_TIMEOUT` or
                `RUNNER_LOST`. At the other doors it is the event.

                States are named in the door's own words. Texts that come from outside are cut at 500 characters and hold no line breaks. What looks like a password, a
                token or a key is taken out of errors and reasons, in logs and in spans. A line of a step has the key of the step; that of its execution is in the execution's lines.
                Ids of runs and of their parts are written as the runs door shows them, such as `run_…`, so one search finds every line of a run.

                ## Traces

                `--otlp-endpoint http://localhost:4318` sends spans by OTLP over HTTP (protobuf) to a collector. Without it no spans are kept. Every door continues a
                client's `traceparent`. `--trace-sample-percent` says how many of the traces that begin here are kept. The trace context of the
                request that created an item is stored with the item. A process that commits a change of the item adds its spans to that trace:

                | span | of |
                |---|---|
                | `POST /v1/jobs` and every other route | a request; its own trace unless the client sent one |
                | `jobs.enqueue` | the item was stored |
                | `jobs.queue` | from when it was ready until a worker had it |
                | `jobs.assign` | it was given to a worker |
                | `jobs.start` | from assignment to the start, where a door has both states |
                | `jobs.run` | from the start to the end of the attempt |
                | `jobs.report` | the end was written, with its report |
                | `jobs.retry`, `jobs.cancel` | somebody asked for it |
                | `webhook.deliver` | an attempt to deliver one of its events |
                | `execution.started`, `execution.succeeded` and other changes of an execution | the whole time since its start, for an end |
                | `execution_step.succeeded` and other ends of a step | one attempt, from its start |
                | `run.created`, `run.completed` and other changes of a run | the whole time since its start, for an end |
                | `run_agent.completed`, `run_task.failed`, `run_step.completed` and other ends | from the start of the agent, the task or the step |
                | `run-drivers` | a server drives the run |

                The other doors have the same spans under `tasks.` and `queue.`, and the steps of executions and runs that workers do under `steps.`; a worker finds the trace in the `traceparent` of its payload. The client's context is stored even without a collector. Spans that cannot
                be sent are dropped. Those that the receiver did not take are counted in `spans_dropped_total`. At most 4,096 spans wait; further ones are dropped and not counted.
                """
                        .formatted(
                                Totals.BOUNDS_MS.stream()
                                        .map(bound -> String.valueOf(bound / 1000.0))
                                        .map(text -> text.replaceFirst("\\.0$", ""))
                                        .collect(Collectors.joining(", "))));
        List<String> names = doors.stream().map(DoorDescription::name).toList();
        return page.toString()
                .replace(
                        "@doors@",
                        String.join(", ", names.subList(0, names.size() - 1))
                                + " or "
                                + names.getLast())
                .replace("@questions@\n", questions(doors));
    }

    private static String questions(List<? extends DoorDescription> doors) {
        return doors.stream()
                .flatMap(door -> door.questions().entrySet().stream())
                .map(each -> "| %s | `%s` |\n".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining());
    }
}
