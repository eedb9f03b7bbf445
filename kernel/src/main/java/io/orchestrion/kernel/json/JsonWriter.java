package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Writes an answer field by field into bytes: no tree, no reflection.
///
/// ```java
/// byte[] body = JsonWriter.object(task -> task.text("id", id)
///         .raw("payload", storedJson)
///         .instant("createdAt", createdAtMillis)
///         .array("tags", tags -> names.forEach(tags::item)));
/// ```
///
/// A null value is written as `null`; a field to be left out is simply not written.
public final class JsonWriter {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build();

    private final JsonGenerator out;

    private JsonWriter(JsonGenerator out) {
        this.out = out;
    }

    public static byte[] object(Consumer<JsonWriter> fields) {
        return write(writer -> writer.item(fields));
    }

    public static String objectText(Consumer<JsonWriter> fields) {
        return new String(object(fields), StandardCharsets.UTF_8);
    }

    /// A string as JSON, for what is stored as such.
    public static String quoted(String value) {
        return Texts.quoted(Texts.mended(value));
    }

    /// An answer that is an array at the top; `items` calls the item methods.
    public static byte[] array(Consumer<JsonWriter> items) {
        return write(
                writer -> {
                    writer.out.writeStartArray();
                    items.accept(writer);
                    writer.out.writeEndArray();
                });
    }

    private static byte[] write(Consumer<JsonWriter> value) {
        var bytes = new Written();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            value.accept(new JsonWriter(out));
        }
        return bytes.toByteArray();
    }

    /// The generator hands over most answers in one piece, which is kept as it is: a buffer that
    /// grows and a last copy out of it would take twice the memory.
    private static final class Written extends ByteArrayOutputStream {
        Written() {
            super(0);
        }

        @Override
        public synchronized void write(byte[] from, int start, int length) {
            if (count == 0) {
                buf = Arrays.copyOfRange(from, start, start + length);
                count = length;
            } else {
                super.write(from, start, length);
            }
        }

        @Override
        public synchronized byte[] toByteArray() {
            return count == buf.length ? buf : super.toByteArray();
        }
    }

    public JsonWriter text(String name, @Nullable String value) {
        out.writeName(name);
        return value == null ? nullItem() : item(value);
    }

    public JsonWriter integer(String name, long value) {
        out.writeName(name);
        out.writeNumber(value);
        return this;
    }

    public JsonWriter integer(String name, @Nullable Long value) {
        return value == null ? nil(name) : integer(name, value.longValue());
    }

    public JsonWriter number(String name, @Nullable BigDecimal value) {
        out.writeName(name);
        if (value == null) {
            return nullItem();
        }
        out.writeNumber(value);
        return this;
    }

    public JsonWriter bool(String name, boolean value) {
        out.writeName(name);
        out.writeBoolean(value);
        return this;
    }

    /// A moment given in milliseconds since 1970, as `2030-01-31T08:30:00.000Z`.
    public JsonWriter instant(String name, long epochMillis) {
        out.writeName(name);
        out.writeString(IsoMillis.format(epochMillis));
        return this;
    }

    /// A moment that may not have come.
    public JsonWriter instantOrNull(String name, @Nullable Long epochMillis) {
        return epochMillis == null ? nil(name) : instant(name, epochMillis.longValue());
    }

    public JsonWriter instant(String name, @Nullable Instant value) {
        return value == null ? nil(name) : instant(name, value.toEpochMilli());
    }

    public JsonWriter nil(String name) {
        out.writeName(name);
        return nullItem();
    }

    /// Stored JSON, passed through as it is: the caller vouches that it is valid.
    public JsonWriter raw(String name, @Nullable String json) {
        out.writeName(name);
        return json == null ? nullItem() : rawItem(json);
    }

    public JsonWriter object(String name, Consumer<JsonWriter> fields) {
        out.writeName(name);
        return item(fields);
    }

    /// An array whose elements are written by the item methods.
    public JsonWriter array(String name, Consumer<JsonWriter> items) {
        out.writeName(name);
        out.writeStartArray();
        items.accept(this);
        out.writeEndArray();
        return this;
    }

    /// An array with one object for each element.
    public <T> JsonWriter objects(
            String name, Iterable<T> elements, BiConsumer<JsonWriter, T> fields) {
        return array(
                name,
                items -> {
                    for (T element : elements) {
                        items.item(object -> fields.accept(object, element));
                    }
                });
    }

    public JsonWriter texts(String name, Iterable<String> elements) {
        return array(name, items -> elements.forEach(items::item));
    }

    /// Moments in milliseconds since 1970.
    public JsonWriter instants(String name, Iterable<Long> elements) {
        return array(name, items -> elements.forEach(each -> items.item(IsoMillis.format(each))));
    }

    public JsonWriter item(String value) {
        out.writeString(Texts.mended(value));
        return this;
    }

    public JsonWriter item(long value) {
        out.writeNumber(value);
        return this;
    }

    public JsonWriter item(Consumer<JsonWriter> fields) {
        out.writeStartObject();
        fields.accept(this);
        out.writeEndObject();
        return this;
    }

    public JsonWriter rawItem(String json) {
        out.writeRawValue(json);
        return this;
    }

    public JsonWriter nullItem() {
        out.writeNull();
        return this;
    }
}
