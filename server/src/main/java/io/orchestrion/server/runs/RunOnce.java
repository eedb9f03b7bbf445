package io.orchestrion.server.runs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Keyed;
import io.orchestrion.kernel.idempotency.KeyedVerbs;
import io.orchestrion.kernel.idempotency.KeyedVerbs.Made;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/// Does what a request asks for once for its `Idempotency-Key`. The work and its answer are one
/// transaction, and only what was done is remembered: after a refusal the key is free again.
public final class RunOnce {
    /// How long an answer is given again.
    public static final Duration KEPT = Duration.ofHours(24);

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_GOOD_ANY_MORE = 300;

    private static final Answer NOTHING_YET = Answer.empty(503);

    private final KeyedVerbs verbs;
    private final LongAdder replays = new LongAdder();

    public RunOnce(KeyedVerbs verbs) {
        this.verbs = verbs;
    }

    /// Does it and writes the answer. Everything up to the commit may run twice. Where the answer
    /// is an error, nothing may have been written.
    @FunctionalInterface
    public interface Work {
        Answer run(Tx tx) throws SQLException;
    }

    /// How often an answer was given again.
    public long replays() {
        return replays.sum();
    }

    /// The request is known by the bytes of its body.
    public Answer once(Call call, Work work) {
        byte[] body =
                call.endpoint() == null || call.endpoint().request() == null
                        ? new byte[0]
                        : call.body();
        return once(call, sha256(body), work);
    }

    /// @param digest of what is asked for, where the body is not read as a whole
    public Answer once(Call call, byte[] digest, Work work) {
        List<String> sent = call.headers(Once.KEY_HEADER);
        if (sent.size() > 1 || sent.stream().anyMatch(key -> !Once.keyAllowed(key))) {
            return RunAnswers.badRequest(call, Once.KEY_RULE + ", and sent once.");
        }
        UUID account = Callers.account(call);
        IdempotencyKey key = sent.isEmpty() ? null : key(call, account, sent.getFirst(), digest);
        return switch (verbs.once(account, key, tx -> made(work.run(tx)))) {
            case Keyed.Done<Answer>(var answer) -> answer;
            case Keyed.Replayed<Answer>(var stored) -> replayed(stored);
            case Keyed.Conflict<Answer>() -> RunAnswers.error(call, RunError.IDEMPOTENCY_CONFLICT);
            case Keyed.InFlight<Answer>() -> RunAnswers.error(call, RunError.IDEMPOTENCY_IN_FLIGHT);
        };
    }

    /// For a request whose work begins long before its transaction: what was answered to an earlier
    /// one with the same key, or why this one is refused. Null where it is to be done.
    public @Nullable Answer earlier(Call call, byte[] digest) {
        if (call.headers(Once.KEY_HEADER).isEmpty()) {
            return null;
        }
        Answer said = once(call, digest, _ -> NOTHING_YET);
        return said == NOTHING_YET ? null : said;
    }

    /// One key of an account is good for each endpoint, and for each thing that the path names.
    private static IdempotencyKey key(Call call, UUID account, String key, byte[] digest) {
        return new IdempotencyKey(
                RunsDoor.NAME,
                account,
                call.method() + " " + call.path(),
                key,
                digest,
                KEPT,
                Once.PLACEHOLDER_STALE);
    }

    private static Made<Answer> made(Answer answer) {
        @Nullable StoredAnswer stored =
                answer.status() < NOT_GOOD_ANY_MORE
                        ? Once.kept(answer.status(), answer.body())
                        : null;
        return new Made<>(answer, UUID.randomUUID(), stored);
    }

    /// What was created is not created again, so that is not said again either.
    private Answer replayed(StoredAnswer stored) {
        replays.increment();
        int status = stored.status() == CREATED ? OK : stored.status();
        Answer answer =
                stored.body().isEmpty()
                        ? Answer.empty(status)
                        : Answer.json(status, stored.body().getBytes(StandardCharsets.UTF_8));
        return answer.with(Once.REPLAYED, "true");
    }

    static String[] errors(String... own) {
        return Stream.concat(
                        Stream.of(own),
                        Stream.of(
                                RunError.IDEMPOTENCY_CONFLICT.code(),
                                RunError.IDEMPOTENCY_IN_FLIGHT.code()))
                .toArray(String[]::new);
    }

    private static byte[] sha256(byte[] body) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
