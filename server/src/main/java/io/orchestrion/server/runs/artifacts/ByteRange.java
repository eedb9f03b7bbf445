package io.orchestrion.server.runs.artifacts;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The part of some content that a `Range` header asks for (RFC 9110, 14.1.2).
///
/// @param from its first byte
/// @param length how many; none where the content has no such part
record ByteRange(long from, long length) {
    private static final Pattern ONE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");
    private static final ByteRange NONE = new ByteRange(0, 0);

    /// Null for what is no single range of bytes: such a header is passed over.
    static @Nullable ByteRange of(String header, long size) {
        Matcher parts = ONE.matcher(header.strip());
        if (!parts.matches() || (parts.group(1).isEmpty() && parts.group(2).isEmpty())) {
            return null;
        }
        if (parts.group(1).isEmpty()) {
            long last = Math.min(Long.parseLong(parts.group(2)), size);
            return new ByteRange(size - last, last);
        }
        long from = Long.parseLong(parts.group(1));
        long to = parts.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(parts.group(2));
        if (to < from) {
            return null;
        }
        return from >= size ? NONE : new ByteRange(from, Math.min(to, size - 1) - from + 1);
    }

    String contentRange(long size) {
        return "bytes " + from + "-" + (from + length - 1) + "/" + size;
    }
}
