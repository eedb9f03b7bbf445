package io.orchestrion.cli;

import io.orchestrion.sdk.BatchResult;
import io.orchestrion.sdk.Batches;
import io.orchestrion.sdk.ClaimedTask;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/// `orchestrion batch`: a verb on many tasks in one request.
final class BatchCommands {
    private final Surroundings surroundings;

    BatchCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "batch",
                "Create, claim and finish many tasks in one request.",
                create(),
                claim(),
                held(
                        "heartbeat",
                        "Renew the leases on many tasks.",
                        "{\"id\":…,\"leaseToken\":…}",
                        Batches::heartbeat),
                held(
                        "complete",
                        "Complete many tasks.",
                        "{\"id\":…,\"leaseToken\":…,\"result\":{…}}",
                        Batches::complete),
                held(
                        "fail",
                        "Fail many tasks.",
                        "{\"id\":…,\"leaseToken\":…,\"lastFailureReason\":…}",
                        Batches::fail));
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private static ClientCommand withItems(ClientCommand command, String option, String like) {
        return command.required(
                        option,
                        "JSON",
                        "Up to 1000 like "
                                + like
                                + ", as a JSON array or one on each line: as they stand, @FILE, or"
                                + " - for standard input.")
                .footer("", "It ends with 1 when an item went wrong; the others are done.");
    }

    private CommandSpec create() {
        return withItems(
                        command("create", "Create many tasks."),
                        "--tasks",
                        "{\"type\":…,\"payload\":{…}}")
                .option(
                        "--key",
                        "KEY",
                        String.class,
                        "Idempotency key: a name of yours for this batch, so that sending it again"
                                + " makes the same tasks.")
                .does(
                        run -> {
                            String key = run.value("--key");
                            List<String> tasks = items(run, "--tasks");
                            Batches batches = run.client().batches();
                            show(
                                    run,
                                    key == null
                                            ? batches.create(tasks)
                                            : batches.create(tasks, key));
                        });
    }

    private CommandSpec claim() {
        return command("claim", "Claim many tasks of a type.")
                .required("--type", "TYPE", "Which tasks.")
                .option("--max", "N", Integer.class, "How many at the most, 1 to 100. Default: 1.")
                .option("--worker", "NAME", String.class, "Shown as who holds them.")
                .option(
                        "--wait-seconds",
                        "N",
                        Integer.class,
                        "Wait so long for a task when there is none, at most 30.")
                .option(
                        "--claim-id",
                        "UUID",
                        UUID.class,
                        "Names this claim: sent again, it gives the same leases.")
                .does(BatchCommands::claim);
    }

    private static void claim(Invocation run) {
        UUID id = run.value("--claim-id");
        List<ClaimedTask> claimed =
                run.client()
                        .batches()
                        .claim(
                                run.text("--type"),
                                run.number("--max", 1),
                                run.value("--worker"),
                                Duration.ofSeconds(run.number("--wait-seconds", 0)),
                                id == null ? UUID.randomUUID() : id);
        run.show(
                () -> {
                    if (claimed.isEmpty()) {
                        return "Nothing to claim.";
                    }
                    var rows = new ArrayList<List<String>>();
                    rows.add(List.of("TASK", "TOKEN", "ATTEMPT", "PRIORITY"));
                    for (ClaimedTask each : claimed) {
                        rows.add(
                                List.of(
                                        each.id().toString(),
                                        each.leaseToken().toString(),
                                        each.task().attemptCount()
                                                + "/"
                                                + each.task().maxAttempts(),
                                        String.valueOf(each.task().priority())));
                    }
                    return run.screen().table(rows);
                });
    }

    private CommandSpec held(
            String name,
            String description,
            String like,
            BiFunction<Batches, List<String>, List<BatchResult>> verb) {
        return withItems(command(name, description), "--items", like)
                .does(run -> show(run, verb.apply(run.client().batches(), items(run, "--items"))));
    }

    private static List<String> items(Invocation run, String option) {
        String text = String.valueOf(run.document(option)).strip();
        if (text.startsWith("[")) {
            var items = new ArrayList<String>();
            for (JsonNode item : Field.json(run, option, text).values()) {
                items.add(item.toString());
            }
            return items;
        }
        return text.lines().filter(line -> !line.isBlank()).toList();
    }

    private static void show(Invocation run, List<BatchResult> results) {
        Shown.all(
                run,
                Shown.table(
                        run,
                        "STATUS=status",
                        "ITEM=index",
                        "TASK=task.id",
                        "NOW=task.status",
                        "ERROR=error.code",
                        "MESSAGE=error.message"),
                results.stream().map(BatchResult::json).toList(),
                "No items.");
        if (!results.stream().allMatch(BatchResult::good)) {
            throw new ClientCommand.NotAsHoped();
        }
    }
}
