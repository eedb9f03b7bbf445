package io.orchestrion.cli;

import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.NewWebhook;
import io.orchestrion.sdk.Webhook;
import io.orchestrion.sdk.WebhookPing;
import io.orchestrion.sdk.WebhookSecret;
import io.orchestrion.sdk.Webhooks;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// `orchestrion webhooks`: receivers of what happens, and what became of what was sent to them.
final class WebhookCommands {
    private static final int OVERLAP_SECONDS = 86_400;
    private static final String SECRET_FILE =
            "File with a secret of yours, whsec_…; without it the server makes one.";
    private static final List<String> DELIVERY_HEAD =
            List.of("STATE", "EVENT", "ID", "TRIES", "CREATED", "LAST ANSWER");

    private final Surroundings surroundings;

    WebhookCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "webhooks",
                "Have events sent to a receiver of yours, and see what became of them.",
                create(),
                list(),
                get(),
                events(),
                change("pause", "Send nothing until it is resumed.", Webhooks::pause),
                change("resume", "Send again.", Webhooks::resume),
                rotate(),
                describe(),
                ping(),
                delete(),
                deliveries(),
                delivery(),
                redeliver());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private ClientCommand onWebhook(String name, String description) {
        return command(name, description).id(true, "The webhook's id.");
    }

    private static List<String> names(Invocation run) {
        List<String> names = run.words("--events");
        if (names == null || names.isEmpty()) {
            throw run.misused("--events needs at least one name");
        }
        return names;
    }

    private static ClientCommand withEvents(ClientCommand command) {
        return command.required(
                "--events",
                "NAMES",
                "What it gets, with commas between the names, such as job.succeeded,job.failed.");
    }

    private CommandSpec create() {
        ClientCommand command =
                withEvents(
                        command("create", "Register a receiver; its secret is shown this once.")
                                .required(
                                        "--to", "URL", "The receiver: where the server sends to."));
        return SecretFile.option("your receiver", command)
                .option("--description", "TEXT", String.class, "What it is for.")
                .option("--secret-file", "FILE", Path.class, SECRET_FILE)
                .does(WebhookCommands::create);
    }

    private static void create(Invocation run) {
        NewWebhook webhook = NewWebhook.to(URI.create(run.text("--to")), names(run));
        String about = run.value("--description");
        NewWebhook described = about == null ? webhook : webhook.withDescription(about);
        String given = givenSecret(run);
        secret(
                run,
                () ->
                        run.client()
                                .webhooks()
                                .create(given == null ? described : described.withSecret(given)));
    }

    private static @Nullable String givenSecret(Invocation run) {
        Path file = run.value("--secret-file");
        try {
            return file == null ? null : Files.readString(file).strip();
        } catch (IOException e) {
            throw run.misused("--secret-file: cannot read " + file);
        }
    }

    /// The secret alone goes to standard output, or to the file that was named.
    private static void secret(Invocation run, Supplier<WebhookSecret> maker) {
        Path file = run.value("--save");
        if (file != null) {
            SecretFile.write(
                    file,
                    run,
                    "secret",
                    () -> {
                        WebhookSecret made = maker.get();
                        return new SecretFile.Saved(
                                there(run, made), "Webhook " + made.webhookId());
                    });
            return;
        }
        WebhookSecret made = maker.get();
        String secret = there(run, made);
        run.show(() -> secret);
        if (!run.json()) {
            run.err().println("Webhook " + made.webhookId() + ", its secret is shown this once.");
        }
    }

    /// A request that was repeated because its answer got lost is answered without the secret.
    private static String there(Invocation run, WebhookSecret made) {
        if (made.secret() == null) {
            run.err()
                    .println(
                            "Webhook "
                                    + made.webhookId()
                                    + " was made, but the answer with its secret got lost. Make"
                                    + " another: orchestrion webhooks rotate-secret "
                                    + made.webhookId());
            throw new ClientCommand.NotAsHoped();
        }
        return made.secret();
    }

    private CommandSpec list() {
        return command("list", "List the receivers.")
                .does(
                        run -> {
                            List<Webhook> all = run.client().webhooks().list();
                            run.show(() -> table(all, run));
                        });
    }

    private static String table(List<Webhook> webhooks, Invocation run) {
        if (webhooks.isEmpty()) {
            return "No webhooks.";
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("STATE", "ID", "URL", "EVENTS", "CREATED", "NOTE"));
        for (Webhook each : webhooks) {
            String note = each.reason() == null ? each.description() : each.reason();
            rows.add(
                    List.of(
                            Screen.clean(each.state()),
                            each.id().toString(),
                            Screen.clean(each.url()),
                            Screen.clean(String.join(",", each.events())),
                            run.times().relative(each.createdAt()),
                            note == null ? "" : Screen.clean(note)));
        }
        return run.screen().table(rows);
    }

    private static String card(Webhook webhook, Invocation run) {
        var card = new Card("Webhook " + webhook.id(), run);
        card.row("state", run.screen().ending(webhook.state(), Screen.clean(webhook.state())));
        card.text("reason", webhook.reason());
        card.row("to", Screen.clean(webhook.url()));
        card.row("events", Screen.clean(String.join(", ", webhook.events())));
        card.text("about", webhook.description());
        card.time("created", webhook.createdAt());
        card.row("next", "orchestrion webhooks deliveries " + webhook.id());
        return card.toString();
    }

    private CommandSpec get() {
        return change("get", "Show a receiver.", Webhooks::get);
    }

    private CommandSpec change(
            String name, String description, BiFunction<Webhooks, UUID, Webhook> deed) {
        return onWebhook(name, description)
                .does(
                        run -> {
                            Webhook webhook = deed.apply(run.client().webhooks(), run.id());
                            run.show(() -> card(webhook, run));
                        });
    }

    private CommandSpec events() {
        return withEvents(onWebhook("events", "Change what a receiver gets."))
                .does(
                        run -> {
                            Webhook webhook =
                                    run.client().webhooks().subscribe(run.id(), names(run));
                            run.show(() -> card(webhook, run));
                        });
    }

    private CommandSpec rotate() {
        return SecretFile.option(
                        "your receiver",
                        onWebhook("rotate-secret", "Make a new secret; the old one goes on."))
                .option(
                        "--overlap-seconds",
                        "N",
                        Integer.class,
                        "How long both sign what is sent. Default: " + OVERLAP_SECONDS + ".")
                .option("--secret-file", "FILE", Path.class, SECRET_FILE)
                .does(
                        run -> {
                            var overlap =
                                    Duration.ofSeconds(
                                            run.number("--overlap-seconds", OVERLAP_SECONDS));
                            String given = givenSecret(run);
                            secret(
                                    run,
                                    () ->
                                            run.client()
                                                    .webhooks()
                                                    .rotateSecret(run.id(), overlap, given));
                        });
    }

    private CommandSpec describe() {
        return onWebhook("describe", "Say what a receiver is for.")
                .required("--description", "TEXT", "What it is for.")
                .does(
                        run -> {
                            Webhook webhook =
                                    run.client()
                                            .webhooks()
                                            .describe(run.id(), run.text("--description"));
                            run.show(() -> card(webhook, run));
                        });
    }

    private CommandSpec ping() {
        return onWebhook("ping", "Call a receiver once with a test event.")
                .footer("", "It ends with 1 when the receiver does not answer 2xx.")
                .does(WebhookCommands::ping);
    }

    private static void ping(Invocation run) {
        WebhookPing ping = run.client().webhooks().ping(run.id());
        String error = ping.error();
        run.show(
                () ->
                        (ping.status() == null
                                        ? "No answer"
                                                + (error == null ? "" : ": " + Screen.clean(error))
                                        : "It answered " + ping.status())
                                + " after "
                                + ping.durationMillis()
                                + " ms.");
        if (!ping.delivered()) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private CommandSpec delete() {
        return onWebhook("delete", "Send nothing there any more, and forget it.")
                .does(
                        run -> {
                            run.client().webhooks().delete(run.id());
                            run.show(() -> "Webhook " + run.id() + " is gone.");
                        });
    }

    private CommandSpec deliveries() {
        return Shown.paged(
                        onWebhook("deliveries", "List what was sent to a receiver, newest first."))
                .option(
                        "--state",
                        "STATE",
                        String.class,
                        "Only those that are pending, delivering, delivered, failed or canceled.")
                .does(
                        run ->
                                deliveryTable(run)
                                        .pages(
                                                cursor ->
                                                        run.client()
                                                                .webhooks()
                                                                .deliveries(
                                                                        run.id(),
                                                                        run.value("--state"),
                                                                        run.value("--limit"),
                                                                        cursor),
                                                Webhooks.DeliveryPage::deliveries,
                                                Webhooks.DeliveryPage::nextCursor,
                                                "Nothing was sent."));
    }

    static PagedTable<Delivery> deliveryTable(Invocation run) {
        Screen screen = run.screen();
        return new PagedTable<>(
                run,
                DELIVERY_HEAD,
                each -> row(each, run.times()),
                (each, text) -> screen.ending(each.state(), text));
    }

    private static List<String> row(Delivery delivery, Times times) {
        return List.of(
                Screen.clean(delivery.state()),
                Screen.clean(delivery.eventName()),
                delivery.id().toString(),
                String.valueOf(delivery.attemptCount()),
                delivery.createdAt() == null ? "" : times.relative(delivery.createdAt()),
                delivery.attempts().isEmpty() ? "" : answer(delivery.attempts().getLast()));
    }

    private static String answer(Delivery.Attempt attempt) {
        String error = attempt.error();
        return attempt.status() != null
                ? attempt.status() + (error == null ? "" : ", " + Screen.clean(error))
                : error == null ? "none" : Screen.clean(error);
    }

    private CommandSpec delivery() {
        return command("delivery", "Show each try of a delivery.")
                .id(true, "The delivery's id.")
                .does(run -> show(run, run.client().webhooks().delivery(run.id())));
    }

    private CommandSpec redeliver() {
        return command("redeliver", "Send a delivery once more.")
                .id(true, "The delivery's id.")
                .does(run -> show(run, run.client().webhooks().redeliver(run.id())));
    }

    private static void show(Invocation run, Delivery delivery) {
        run.show(
                () -> {
                    var card = new Card("Delivery " + delivery.id(), run);
                    card.row(
                            "state",
                            run.screen().ending(delivery.state(), Screen.clean(delivery.state())));
                    card.row("event", Screen.clean(delivery.eventName()));
                    card.text("to", delivery.url());
                    card.time("next try", delivery.nextAttemptAt());
                    for (Delivery.Attempt each : delivery.attempts()) {
                        card.row("tried", run.times().full(each.at()) + ": " + answer(each));
                    }
                    return card.toString();
                });
    }
}
