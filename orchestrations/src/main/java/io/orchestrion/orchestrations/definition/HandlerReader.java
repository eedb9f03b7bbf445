package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Fields;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads handlers. Whether an address may be called is decided when it is called.
final class HandlerReader {
    private static final Pattern TASK_TYPE =
            Pattern.compile("[A-Za-z0-9_-]{1," + DefinitionLimits.TASK_TYPE_CHARACTERS + "}");
    private static final Pattern BUILTIN =
            Pattern.compile(
                    "[a-z][a-z0-9_.-]{0," + (DefinitionLimits.BUILTIN_CHARACTERS - 1) + "}");
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e&&[^\\\\\"<>^`{|}]]+");

    private static final List<String> ALL = List.of(Handler.TASK, Handler.HTTP, Handler.BUILTIN);

    private final @Nullable Set<String> builtins;

    /// @param builtins null to take any, in a document that was checked before
    HandlerReader(@Nullable Set<String> builtins) {
        this.builtins = builtins;
    }

    /// Of any form; null after a finding, or without the field.
    @Nullable Handler read(Fields fields, String name) {
        return read(fields, name, ALL);
    }

    Handler ofTask(Fields fields) {
        Handler handler = required(fields, List.of(Handler.TASK, Handler.BUILTIN));
        return handler == null ? new Handler.TaskHandler("none") : handler;
    }

    Handler.HttpHandler ofCall(Fields fields) {
        return required(fields, List.of(Handler.HTTP)) instanceof Handler.HttpHandler handler
                ? handler
                : new Handler.HttpHandler("https://none.invalid/");
    }

    private @Nullable Handler required(Fields fields, List<String> forms) {
        if (!fields.has("handler")) {
            fields.missing("handler", "Add one as " + forms(forms) + ".");
        }
        return read(fields, "handler", forms);
    }

    private @Nullable Handler read(Fields fields, String name, List<String> forms) {
        String text = fields.text(name, DefinitionLimits.URL_CHARACTERS + Handler.HTTP.length());
        if (text == null) {
            return null;
        }
        String form = forms.stream().filter(text::startsWith).findFirst().orElse("");
        String rest = text.substring(form.length());
        return switch (form) {
            case Handler.TASK -> {
                if (TASK_TYPE.matcher(rest).matches()) {
                    yield new Handler.TaskHandler(rest);
                }
                yield refused(
                        fields,
                        name,
                        "names no type of a task",
                        "Write task: and 1 to 100 letters, digits, _ or -.");
            }
            case Handler.HTTP -> {
                if (isUrl(rest)) {
                    yield new Handler.HttpHandler(rest);
                }
                yield refused(
                        fields,
                        name,
                        "names no address that can be called",
                        "Write http: and a URL of printable ASCII that begins with https://,"
                                + " without a user and without a fragment.");
            }
            case Handler.BUILTIN -> builtin(fields, name, rest);
            default ->
                    refused(
                            fields,
                            name,
                            "has none of the forms that fit here",
                            "Write it as " + forms(forms) + ".");
        };
    }

    private @Nullable Handler builtin(Fields fields, String name, String builtin) {
        if (!BUILTIN.matcher(builtin).matches()) {
            return refused(
                    fields,
                    name,
                    "names no function of the server",
                    "Write builtin: and the name of a function.");
        }
        if (builtins != null && !builtins.contains(builtin)) {
            fields.findings()
                    .add(
                            DefinitionCode.UNKNOWN_BUILTIN,
                            fields.at(name),
                            "The server has no function " + builtin + ".",
                            "Use one of "
                                    + String.join(", ", builtins.stream().sorted().toList())
                                    + ".");
            return null;
        }
        return new Handler.BuiltinHandler(builtin);
    }

    private static @Nullable Handler refused(Fields fields, String name, String what, String hint) {
        fields.findings()
                .add(
                        DefinitionCode.INVALID_HANDLER,
                        fields.at(name),
                        "The field " + name + " " + what + ".",
                        hint);
        return null;
    }

    private static String forms(List<String> forms) {
        return String.join(
                " or ",
                forms.stream()
                        .map(
                                form ->
                                        switch (form) {
                                            case Handler.TASK -> "task:<type>";
                                            case Handler.HTTP -> "http:<https url>";
                                            default -> "builtin:<name>";
                                        })
                        .toList());
    }

    private static boolean isUrl(String text) {
        if (text.length() > DefinitionLimits.URL_CHARACTERS || !PRINTABLE.matcher(text).matches()) {
            return false;
        }
        try {
            URI uri = new URI(text);
            return uri.getScheme() != null
                    && Set.of("http", "https").contains(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
