package io.orchestrion.server.door;

import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.http.Answer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// The meaning of the header `Idempotency-Key` at every door: the request is done once, however
/// often it is sent.
public final class Once {
    private Once() {}

    public static final String KEY_HEADER = "Idempotency-Key";
    public static final int KEY_MAX = 255;

    /// On an answer that was given before.
    public static final String REPLAYED = "Idempotency-Replayed";

    /// How long the answer is given again.
    public static final Duration ANSWER_KEPT = Duration.ofDays(7);

    /// After which a key without an answer is taken for abandoned.
    public static final Duration PLACEHOLDER_STALE = Duration.ofSeconds(90);

    public static final String KEY_RULE =
            KEY_HEADER + " must be 1 to " + KEY_MAX + " printable ASCII characters";

    /// As an endpoint declares it.
    public static TextField header() {
        return text(KEY_HEADER)
                .length(1, KEY_MAX)
                .printableAscii()
                .doc(
                        "The same key with the same body gives the same answer for "
                                + ANSWER_KEPT.toDays()
                                + " days.");
    }

    public static boolean keyAllowed(String key) {
        return !key.isEmpty()
                && key.length() <= KEY_MAX
                && key.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }

    /// @param door that the request came to: one key may be used at several
    /// @param action what the key is for
    /// @param digest of the request
    public static IdempotencyKey key(
            String door, Principal caller, String action, String key, byte[] digest) {
        return new IdempotencyKey(
                door, caller.keyId(), action, key, digest, ANSWER_KEPT, PLACEHOLDER_STALE);
    }

    public static Answer replayed(StoredAnswer stored) {
        return Answer.json(stored.status(), stored.body().getBytes(StandardCharsets.UTF_8))
                .with(REPLAYED, "true");
    }

    public static StoredAnswer kept(int status, byte[] body) {
        return new StoredAnswer(status, new String(body, StandardCharsets.UTF_8));
    }
}
