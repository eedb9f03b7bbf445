package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Fields;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the HTTP request of a call or a notice.
final class RequestReader {
    static final Set<String> FIELDS = Set.of("method", "headers", "body");

    /// Those of the connection (RFC 9110, 7.6.1), and those that the engine says itself.
    static final Set<String> REFUSED =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "idempotency-key",
                    "keep-alive",
                    "proxy-authenticate",
                    "proxy-authorization",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private static final Pattern NAME =
            Pattern.compile(
                    "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,"
                            + DefinitionLimits.HEADER_NAME_CHARACTERS
                            + "}");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");

    private RequestReader() {}

    static CallRequest read(@Nullable Fields fields) {
        if (fields == null) {
            return CallRequest.USUAL;
        }
        fields.only(FIELDS);
        String method = fields.word("method", CallRequest.METHODS);
        Map<String, Mapping> headers = headers(fields);
        JsonNode body = fields.get("body");
        if (body != null && "GET".equals(method)) {
            fields.findings()
                    .add(
                            DefinitionCode.CONFLICTING_FIELDS,
                            fields.at("body"),
                            "A request with the method GET has no body.",
                            "Remove the body, or use another method.");
        }
        return new CallRequest(
                method == null ? CallRequest.USUAL.method() : method,
                headers,
                body == null
                        ? null
                        : Mapping.read(
                                body, fields.at("body"), ExpressionFindings.to(fields.findings())));
    }

    private static Map<String, Mapping> headers(Fields request) {
        Fields fields = request.object("headers");
        if (fields == null) {
            return Map.of();
        }
        if (fields.names().size() > DefinitionLimits.HEADERS) {
            request.bounds(
                    "headers",
                    "has more than " + DefinitionLimits.HEADERS + " headers",
                    "Send fewer headers.");
            return Map.of();
        }
        var headers = new LinkedHashMap<String, Mapping>();
        var lower = new HashSet<String>();
        for (String name : fields.names()) {
            String at = fields.at(name);
            if (!NAME.matcher(name).matches()) {
                refused(fields, at, "is no name of a header", "Use letters, digits and -.");
            } else if (REFUSED.contains(name.toLowerCase(Locale.ROOT))) {
                refused(fields, at, "is a header that the server sets itself", "Remove it.");
            } else if (!lower.add(name.toLowerCase(Locale.ROOT))) {
                refused(fields, at, "stands twice, as case makes no difference", "Remove one.");
            } else {
                headers.put(name, header(fields, name));
            }
        }
        return Collections.unmodifiableMap(headers);
    }

    private static Mapping header(Fields fields, String name) {
        JsonNode value = Objects.requireNonNull(fields.get(name));
        Mapping mapping =
                Mapping.read(value, fields.at(name), ExpressionFindings.to(fields.findings()));
        if (mapping.isFixed() && value.isString()) {
            if (!isValue(value.stringValue())) {
                fields.bounds(
                        name,
                        "has a value that a header cannot have",
                        "Use at most "
                                + DefinitionLimits.HEADER_VALUE_CHARACTERS
                                + " printable ASCII characters.");
            }
        } else if (!value.has("$ref") && !value.has("$cel")) {
            fields.wrongType(name, "a text, or a mapping that gives one");
        }
        return mapping;
    }

    /// Whether a header may have that value. To be asked again of what a mapping gives.
    static boolean isValue(String value) {
        return value.length() <= DefinitionLimits.HEADER_VALUE_CHARACTERS
                && VALUE.matcher(value).matches();
    }

    private static void refused(Fields fields, String at, String what, String hint) {
        fields.findings()
                .add(
                        DefinitionCode.HEADER_NOT_ALLOWED,
                        at,
                        "The name "
                                + Fields.shown(at.substring(at.lastIndexOf('/') + 1))
                                + " "
                                + what
                                + ".",
                        hint);
    }
}
