package io.orchestrion.cli;

import io.orchestrion.sdk.TaskType;
import io.orchestrion.sdk.TaskTypes;
import io.orchestrion.sdk.TypeFlow;

import picocli.CommandLine.Model.CommandSpec;

import java.util.List;
import java.util.function.BiFunction;

/// `orchestrion types`: what tasks of a type must be like, and whether they are handed out.
final class TypeCommands {
    private static final List<Field> FIELDS =
            List.of(
                    Field.text("--description", "TEXT", "description", "What the type is for."),
                    Field.json(
                            "--payload-schema",
                            "payloadSchema",
                            "JSON Schema that each payload must fit: as it stands, @FILE, or - for"
                                    + " standard input."),
                    Field.json("--result-schema", "resultSchema", "The same for results."),
                    Field.number("--priority", "defaults.priority", "Where a producer says none."),
                    Field.number(
                            "--max-attempts",
                            "defaults.maxAttempts",
                            "Where a producer says none."),
                    Field.number(
                            "--lease-seconds",
                            "defaults.leaseDurationSeconds",
                            "Where a producer says none."),
                    Field.number(
                            "--aging-seconds",
                            "agingSeconds",
                            "How long a task waits to be worth one priority more."),
                    Field.number(
                            "--concurrency",
                            "concurrencyLimit.max",
                            "How many of a concurrency key may be claimed at once."),
                    Field.number(
                            "--rate",
                            "rateLimit.max",
                            "How many of a rate key may be claimed in --rate-seconds."),
                    Field.number("--rate-seconds", "rateLimit.periodSeconds", "Goes with --rate."));

    private final Surroundings surroundings;

    TypeCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "types",
                "Register types of tasks with schemas, defaults and limits; pause and drain them.",
                put(),
                list(),
                onType("get", "Show a registered type.", TaskTypes::get),
                onType("pause", "Hand out nothing of a type.", TaskTypes::pause),
                onType("drain", "Take in nothing of a type.", TaskTypes::drain),
                onType("resume", "End a pause and a drain.", TaskTypes::resume),
                flow(),
                delete(),
                strict());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private ClientCommand named(String name, String description) {
        return command(name, description).word("TYPE", "The type's name.");
    }

    private CommandSpec put() {
        return Field.addWithDocument(
                        named("put", "Register a type, or say anew all that is said of it."),
                        FIELDS)
                .footer(
                        "",
                        "Example:",
                        "  orchestrion types put page --concurrency 5 --payload-schema"
                                + " @page.schema.json")
                .does(
                        run ->
                                show(
                                        run,
                                        run.client()
                                                .types()
                                                .put(
                                                        run.word(),
                                                        Field.body(run, FIELDS).toString())));
    }

    private static void show(Invocation run, TaskType type) {
        run.show(() -> Shown.card("Type " + Screen.clean(type.type()), type.json(), run));
    }

    private CommandSpec onType(
            String name, String description, BiFunction<TaskTypes, String, TaskType> deed) {
        return named(name, description)
                .does(run -> show(run, deed.apply(run.client().types(), run.word())));
    }

    private CommandSpec list() {
        return Shown.paged(command("list", "List registered types by name."))
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "TYPE=type",
                                                "PAUSED=paused",
                                                "DRAINING=draining",
                                                "AT ONCE=concurrencyLimit.max",
                                                "RATE=rateLimit.max",
                                                "IN SECONDS=rateLimit.periodSeconds",
                                                "CHECKED=payloadChecked",
                                                "DESCRIPTION=description"),
                                        run.client().types()::list,
                                        TaskType::json,
                                        "No types are registered."));
    }

    private CommandSpec flow() {
        return Shown.paged(named("flow", "Show which keys have tasks waiting, and what for."))
                .does(TypeCommands::flow);
    }

    private static void flow(Invocation run) {
        Integer limit = run.value("--limit");
        Shown.table(
                        run,
                        "WAITS FOR=reason",
                        "CONCURRENCY KEY=concurrencyKey",
                        "RATE KEY=rateKey",
                        "WAITING=waiting",
                        "SINCE=waitingSince",
                        "HELD=held",
                        "OF=concurrencyMax",
                        "STARTS=startsInWindow",
                        "OF=rateMax",
                        "FREE=nextFreeAt")
                .pages(
                        cursor -> run.client().types().flow(run.word(), limit, cursor),
                        TypeFlow::keys,
                        TypeFlow::nextCursor,
                        "Nothing waits.");
    }

    private CommandSpec delete() {
        return named("delete", "Take the registration out; the tasks stay.")
                .does(
                        run -> {
                            run.client().types().delete(run.word());
                            run.show(
                                    () ->
                                            "Type "
                                                    + Screen.clean(run.word())
                                                    + " is registered no more.");
                        });
    }

    private CommandSpec strict() {
        return command("strict", "Say whether only registered types are taken in, or change it.")
                .flag("--on", "Take in registered types only.")
                .flag("--off", "Take in every type.")
                .does(TypeCommands::strict);
    }

    private static void strict(Invocation run) {
        if (run.has("--on") && run.has("--off")) {
            throw run.misused("strict takes --on or --off, not both");
        }
        TaskTypes types = run.client().types();
        boolean strict =
                run.has("--on") || run.has("--off")
                        ? types.strict(run.has("--on"))
                        : types.strict();
        run.show(() -> strict ? "Only registered types are taken in." : "Every type is taken in.");
    }
}
