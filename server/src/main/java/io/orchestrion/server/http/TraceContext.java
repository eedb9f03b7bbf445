package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

/// The W3C trace context of the call that this thread handles, for work that it hands in.
public final class TraceContext {
    private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();
    private static final int LENGTH = 55;

    private TraceContext() {}

    /// The traceparent under which work is handed in now; null when there is none.
    public static @Nullable String traceparent() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    static Answer during(String traceparent, Handler handler, Call call) throws Exception {
        return ScopedValue.where(CURRENT, traceparent).call(() -> handler.handle(call));
    }

    /// Reads the header that a client sent, in version 00. Null for one that breaks the rules,
    /// which counts as none.
    public static @Nullable String read(@Nullable String header) {
        if (header == null || header.length() < LENGTH) {
            return null;
        }
        boolean longer = header.length() > LENGTH;
        String version = header.substring(0, 2);
        boolean known =
                hex(header, 0, 2)
                        && !version.equals("ff")
                        // A later version may say more behind what this one knows.
                        && (!longer || (!version.equals("00") && header.charAt(LENGTH) == '-'));
        boolean formed =
                header.charAt(2) == '-'
                        && hex(header, 3, 35)
                        && header.charAt(35) == '-'
                        && hex(header, 36, 52)
                        && header.charAt(52) == '-'
                        && hex(header, 53, 55);
        return known && formed && !zero(header, 3, 35) && !zero(header, 36, 52)
                ? "00" + header.substring(2, LENGTH)
                : null;
    }

    private static boolean hex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean zero(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') {
                return false;
            }
        }
        return true;
    }
}
