package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// The checked values of a body or query string. The plain accessors are for fields that are
/// required or have a default; the `OrNull` ones give null for a field that is absent or null.
/// Asking for a field under the wrong kind is a bug and throws.
public final class Values {
    /// An explicit null.
    enum Null {
        NULL
    }

    private final Map<String, Object> sent;
    private final Map<String, Object> defaults;

    Values(Map<String, Object> sent, Map<String, Object> defaults) {
        this.sent = sent;
        this.defaults = defaults;
    }

    /// True when the caller gave the field a value, which includes an explicit null where the field
    /// is nullable.
    public boolean has(String field) {
        return sent.containsKey(field);
    }

    /// True when the caller gave an explicit null to a field that is nullable.
    public boolean isNull(String field) {
        return sent.get(field) == Null.NULL;
    }

    public String text(String field) {
        return present(field, textOrNull(field));
    }

    public @Nullable String textOrNull(String field) {
        return (String) find(field);
    }

    public long integer(String field) {
        return present(field, integerOrNull(field));
    }

    /// An integer whose declared range fits 32 bits.
    public int int32(String field) {
        return Math.toIntExact(integer(field));
    }

    public @Nullable Long integerOrNull(String field) {
        return (Long) find(field);
    }

    public BigDecimal number(String field) {
        return present(field, numberOrNull(field));
    }

    public @Nullable BigDecimal numberOrNull(String field) {
        return (BigDecimal) find(field);
    }

    public boolean bool(String field) {
        return present(field, boolOrNull(field));
    }

    public @Nullable Boolean boolOrNull(String field) {
        return (Boolean) find(field);
    }

    public Instant instant(String field) {
        return present(field, instantOrNull(field));
    }

    public @Nullable Instant instantOrNull(String field) {
        return (Instant) find(field);
    }

    /// Open JSON as compact text.
    public String json(String field) {
        return present(field, jsonOrNull(field));
    }

    public @Nullable String jsonOrNull(String field) {
        return find(field) instanceof RawJson raw ? raw.text() : null;
    }

    public Values object(String field) {
        return present(field, objectOrNull(field));
    }

    public @Nullable Values objectOrNull(String field) {
        return (Values) find(field);
    }

    /// A list of strings, empty when absent.
    public List<String> texts(String field) {
        return list(field, String.class);
    }

    /// A list of open JSON, each as compact text, empty when absent.
    public List<String> jsons(String field) {
        return list(field, RawJson.class).stream().map(RawJson::text).toList();
    }

    /// A list of declared objects, empty when absent.
    public List<Values> objects(String field) {
        return list(field, Values.class);
    }

    /// A list of integers, empty when absent.
    public List<Long> integers(String field) {
        return list(field, Long.class);
    }

    private <T> List<T> list(String field, Class<T> type) {
        return find(field) instanceof List<?> list
                ? list.stream().<T>map(type::cast).toList()
                : List.of();
    }

    /// The values that the caller sent, by declared name and without defaults.
    Map<String, Object> sent() {
        return sent;
    }

    private @Nullable Object find(String field) {
        Object value = sent.get(field);
        if (value == null) {
            return defaults.get(field);
        }
        return value == Null.NULL ? null : value;
    }

    private static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException(
                    field + " is absent and has no default; use the OrNull accessor");
        }
        return value;
    }
}
