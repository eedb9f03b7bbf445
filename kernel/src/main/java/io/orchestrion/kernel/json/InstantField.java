package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;

/// A moment, written as ISO 8601 date and time with `Z` or a numeric offset.
public final class InstantField extends Field {
    // Offsets as +01:00, +0100 and +01: all three are ISO 8601, and strftime's %z writes the
    // second.
    private static final DateTimeFormatter COLON = withOffset("+HH:mm");
    private static final DateTimeFormatter PLAIN = withOffset("+HHmm");

    private boolean utc;

    InstantField(String name) {
        super(name);
    }

    /// Only with `Z` or an offset of nothing, for a contract that wants it so.
    public InstantField utc() {
        this.utc = true;
        return this;
    }

    public InstantField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public InstantField nullable() {
        setNullable();
        return this;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        if (value.is(Captured.Kind.STRING)) {
            try {
                OffsetDateTime time = parse(value.text());
                // Years past four digits parse, and neither PostgreSQL nor other clients agree on
                // them.
                int year = time.get(ChronoField.YEAR);
                if (year >= 1 && year <= 9999 && (!utc || time.getOffset() == ZoneOffset.UTC)) {
                    return time.toInstant();
                }
            } catch (DateTimeException e) {
                // Told below: which character was wrong helps less than what is wanted.
            }
        }
        return faults.add(
                path,
                utc
                        ? "must be an ISO 8601 date and time in UTC, such as 2030-01-31T08:30:00Z"
                        : "must be an ISO 8601 date and time with Z or a numeric offset, such as"
                                + " 2030-01-31T08:30:00Z");
    }

    private static OffsetDateTime parse(String text) {
        boolean plain = text.length() > 5 && "+-".indexOf(text.charAt(text.length() - 5)) >= 0;
        return (plain ? PLAIN : COLON).parse(text, OffsetDateTime::from);
    }

    private static DateTimeFormatter withOffset(String pattern) {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .append(DateTimeFormatter.ISO_LOCAL_DATE)
                .appendLiteral('T')
                .append(DateTimeFormatter.ISO_LOCAL_TIME)
                .appendOffset(pattern, "Z")
                .toFormatter()
                .withResolverStyle(ResolverStyle.STRICT);
    }

    @Override
    String example() {
        return "\"2030-01-31T08:30:00.000Z\"";
    }

    @Override
    String schemaType() {
        return "string";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        out.text("format", "date-time");
    }
}
