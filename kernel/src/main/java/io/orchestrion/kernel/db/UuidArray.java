package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.ByteConverter;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

import java.sql.SQLException;
import java.util.StringJoiner;
import java.util.UUID;

/// Ids on their way to the database, in binary form. The driver would send arrays of them as text,
/// and reading that takes the database longer than finding the rows.
final class UuidArray extends PGobject implements PGBinaryObject {
    /// The type number for which the driver is told to use binary form.
    static final String TYPE_NUMBER = "2951";

    private static final long serialVersionUID = 1;
    private static final int ELEMENT_TYPE = 2950;
    private static final int HEAD = 20;
    private static final int LENGTH = 4;
    private static final int WHOLE = 16;
    private static final int NULL = -1;

    private final transient @Nullable Object[] ids;

    UuidArray(@Nullable Object[] ids) {
        this.ids = ids;
        setType("_uuid");
    }

    @Override
    public int lengthInBytes() {
        int bytes = ids.length == 0 ? HEAD - 2 * LENGTH : HEAD;
        for (Object id : ids) {
            bytes += id == null ? LENGTH : LENGTH + WHOLE;
        }
        return bytes;
    }

    /// Dimensions, whether there are nulls, the type, for the one dimension its size and where it
    /// begins, and each element with its length before it.
    @Override
    public void toBytes(byte[] into, int offset) {
        ByteConverter.int4(into, offset, ids.length == 0 ? 0 : 1);
        ByteConverter.int4(into, offset + 4, 1);
        ByteConverter.int4(into, offset + 8, ELEMENT_TYPE);
        if (ids.length == 0) {
            return;
        }
        ByteConverter.int4(into, offset + 12, ids.length);
        ByteConverter.int4(into, offset + 16, 1);
        int place = offset + HEAD;
        for (Object id : ids) {
            if (id == null) {
                ByteConverter.int4(into, place, NULL);
                place += LENGTH;
            } else {
                UUID uuid = (UUID) id;
                ByteConverter.int4(into, place, WHOLE);
                ByteConverter.int8(into, place + LENGTH, uuid.getMostSignificantBits());
                ByteConverter.int8(into, place + LENGTH + 8, uuid.getLeastSignificantBits());
                place += LENGTH + WHOLE;
            }
        }
    }

    @Override
    public void setByteValue(byte[] value, int offset) throws SQLException {
        throw new SQLException("only for sending");
    }

    /// For a connection that sends everything as text.
    @Override
    public String getValue() {
        var text = new StringJoiner(",", "{", "}");
        for (Object id : ids) {
            text.add(String.valueOf(id));
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        throw new CloneNotSupportedException();
    }
}
