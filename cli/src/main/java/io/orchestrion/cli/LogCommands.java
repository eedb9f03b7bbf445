package io.orchestrion.cli;

import io.orchestrion.sdk.AuditEntry;
import io.orchestrion.sdk.AuditEvent;
import io.orchestrion.sdk.AuditLog;
import io.orchestrion.sdk.AuditQuery;
import io.orchestrion.sdk.EventQuery;
import io.orchestrion.sdk.SubjectEvent;
import io.orchestrion.sdk.TaskEvent;
import io.orchestrion.sdk.TaskEventPage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// `orchestrion events` and `orchestrion audit`: what happened to tasks, and who did what.
final class LogCommands {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private final Surroundings surroundings;

    LogCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec events() {
        return ClientCommand.of("events", "Show what happens to tasks, oldest first.", surroundings)
                .option("--type", "TYPE", String.class, "Only of tasks of this type.")
                .option("--task", "ID", UUID.class, "Only of this task.")
                .option(
                        "--include",
                        "WHAT",
                        String.class,
                        "owned: also of steps that engines made; subjects: also what engines tell;"
                                + " both with a comma.")
                .option("--event", "WORD", String.class, "Only this event, such as completed.")
                .option(
                        "--after",
                        "CURSOR",
                        String.class,
                        "Only what came after an event's id or a nextCursor; now for only what"
                                + " comes.")
                .option("--limit", "N", Integer.class, "How many on a page, 1 to 1000.")
                .option(
                        "--wait-seconds",
                        "N",
                        Integer.class,
                        "Wait so long for an event when there is none, at most 30.")
                .flag("--all", "Every page, not only the first.")
                .flag("--follow", "Go on with what comes, until Ctrl-C.")
                .footer(
                        "",
                        "With --follow --json, each event is a line. Its id goes on from there:"
                                + " --after ID.")
                .does(LogCommands::events);
    }

    private static void events(Invocation run) {
        EventQuery query = query(run);
        if (run.has("--follow")) {
            run.client()
                    .events()
                    .follow(query, event -> print(event, run), event -> print(event, run));
            return;
        }
        pages(run, after -> run.client().events().list(query.after(after)));
    }

    private static EventQuery query(Invocation run) {
        Integer limit = run.value("--limit");
        Integer wait = run.value("--wait-seconds");
        String include = run.value("--include");
        return new EventQuery(
                run.value("--after"),
                limit,
                run.value("--type"),
                run.value("--task"),
                run.value("--event"),
                wait == null ? Duration.ZERO : Duration.ofSeconds(wait),
                include == null ? Set.of() : Set.of(include.split(",")));
    }

    /// The first page from the place that was asked for, or all of them.
    static void pages(Invocation run, Function<@Nullable String, TaskEventPage> fetch) {
        String after = run.value("--after");
        table(run)
                .pages(
                        cursor -> fetch.apply(cursor == null ? after : cursor),
                        TaskEventPage::lines,
                        page -> page.hasMore() ? page.nextCursor() : null,
                        "No events.");
    }

    private static PagedTable<JsonNode> table(Invocation run) {
        List<String> columns =
                new ArrayList<>(
                        List.of(
                                "EVENT=event",
                                "TYPE=type",
                                "TASK=taskId",
                                "STATUS=status",
                                "ATTEMPT=attempt",
                                "WORKER=workerId",
                                "WHEN=at",
                                "REASON=reason"));
        if (run.has("--include")) {
            columns.addAll(2, List.of("SUBJECT=subject.kind", "ITS ID=subject.id"));
        }
        return Shown.table(run, columns.toArray(String[]::new));
    }

    private static void print(TaskEvent event, Invocation run) {
        if (run.json()) {
            run.out().println(event.json());
        } else {
            String time = CLOCK.format(event.at().atZone(run.surroundings().zone()));
            String word = Screen.padded(Screen.clean(event.event()), 15);
            run.out()
                    .println(
                            run.screen().faint(time)
                                    + "  "
                                    + run.screen().ending(event.event(), word)
                                    + "  "
                                    + event.taskId()
                                    + "  "
                                    + Screen.clean(event.type())
                                    + (event.reason() == null
                                            ? ""
                                            : ": " + Screen.clean(event.reason())));
        }
        run.out().flush();
    }

    private static void print(SubjectEvent event, Invocation run) {
        if (run.json()) {
            run.out().println(event.json());
        } else {
            String time = CLOCK.format(event.at().atZone(run.surroundings().zone()));
            run.out()
                    .println(
                            run.screen().faint(time)
                                    + "  "
                                    + Screen.padded(Screen.clean(event.event()), 15)
                                    + "  "
                                    + event.subjectId()
                                    + "  "
                                    + Screen.clean(event.kind()));
        }
        run.out().flush();
    }

    CommandSpec audit() {
        return ClientCommand.of(
                        "audit", "Show who did what to the account, oldest first.", surroundings)
                .flag("--newest", "Newest first.")
                .option("--after", "ID", Long.class, "Only what comes after this entry.")
                .flag("--trail", "Also what engines began and ended by themselves, by time.")
                .option(
                        "--subject",
                        "ID",
                        String.class,
                        "Of the trail: only what was done to this, or to a part of it.")
                .option(
                        "--event",
                        "WORD",
                        String.class,
                        "Of the trail: only this, or what begins with it and a dot.")
                .option("--from", "TIME", String.class, "Of the trail: not before.")
                .option("--to", "TIME", String.class, "Of the trail: only before.")
                .option(
                        "--limit",
                        "N",
                        Integer.class,
                        "How many on a page, 1 to 200; 100 of the" + " trail.")
                .flag("--all", "Every page, not only the first.")
                .does(LogCommands::audit);
    }

    private static final List<String> OF_TRAIL = List.of("--subject", "--event", "--from", "--to");

    private static void audit(Invocation run) {
        if (run.has("--trail")) {
            trail(run);
            return;
        }
        for (String option : OF_TRAIL) {
            if (run.has(option)) {
                throw run.misused(option + " goes with --trail");
            }
        }
        boolean newest = run.has("--newest");
        Long after = run.value("--after");
        Integer limit = run.value("--limit");
        Shown.table(
                        run,
                        "ACTION=action",
                        "ID=id",
                        "WHEN=at",
                        "BY=actor.name",
                        "TO=subject.type",
                        "ITS ID=subject.id",
                        "DETAIL=detail")
                .pages(
                        cursor ->
                                run.client()
                                        .audit()
                                        .list(
                                                newest,
                                                cursor == null ? after : Long.valueOf(cursor),
                                                limit),
                        page -> page.entries().stream().map(AuditEntry::json).toList(),
                        LogCommands::next,
                        "No entries.");
    }

    private static void trail(Invocation run) {
        if (run.has("--after")) {
            throw run.misused("--after does not go with --trail");
        }
        AuditQuery about =
                AuditQuery.ALL
                        .about(run.value("--subject"))
                        .withEvent(run.value("--event"))
                        .between(time(run, "--from"), time(run, "--to"));
        AuditQuery query = run.has("--newest") ? about.fromTheNewest() : about;
        Shown.pages(
                run,
                Shown.table(
                        run,
                        "EVENT=event",
                        "WHEN=at",
                        "BY=actor.name",
                        "TO=subject.type",
                        "ITS ID=subject.id",
                        "DETAIL=detail"),
                (limit, cursor) -> run.client().audit().trail(query.withLimit(limit).after(cursor)),
                AuditEvent::json,
                "Nothing was done.");
    }

    private static @Nullable Instant time(Invocation run, String option) {
        String written = run.value(option);
        return written == null ? null : run.time(option, written);
    }

    private static @Nullable String next(AuditLog.Entries page) {
        return page.nextAfter() == null ? null : page.nextAfter().toString();
    }
}
