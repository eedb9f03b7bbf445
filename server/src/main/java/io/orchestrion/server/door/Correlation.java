package io.orchestrion.server.door;

import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.TextField;
import io.orchestrion.kernel.work.NewWork;

/// The meaning of the header `X-Correlation-Id` at every door: the name of the larger whole that
/// the work of a request belongs to.
public final class Correlation {
    private Correlation() {}

    public static final String HEADER = "X-Correlation-Id";
    public static final int MAX = NewWork.CORRELATION_ID_MAX;

    public static final String RULE =
            HEADER + " must be 1 to " + MAX + " printable ASCII characters";

    /// As an endpoint declares it.
    public static TextField header() {
        return id(HEADER).doc("The correlation id of what the body gives none.");
    }

    public static TextField id(String field) {
        return text(field).length(1, MAX).printableAscii();
    }

    public static boolean allowed(String id) {
        return !id.isEmpty()
                && id.length() <= MAX
                && id.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }
}
