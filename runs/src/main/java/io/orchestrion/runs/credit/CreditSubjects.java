package io.orchestrion.runs.credit;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.id.PublicId;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the account's log tells of its credits.
public final class CreditSubjects {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final int MILLIONTHS = 6;
    private static final String RESERVED = "reserved";
    private static final String CHARGED = "charged";
    private static final String REFUNDED = "refunded";

    /// Entries of the ledger: those that people make, and those of runs. They are counted with
    /// their amounts, in millionths of a credit.
    public static final SubjectKind CREDIT =
            new SubjectKind(
                    "credit",
                    "runs",
                    List.of("granted", RESERVED, CHARGED, REFUNDED, "reversed"),
                    List.of());

    private CreditSubjects() {}

    static SubjectEvent granted(Entry entry) {
        return event("granted", entry, JSON.createObjectNode());
    }

    /// The attempt of a run reserves. It is told in the transaction of the entry and before it, so
    /// that nothing is written while the balance is locked.
    public static SubjectEvent reserved(UUID run, int attempt, BigDecimal amount) {
        return ofRun(new Entry.Of(run, attempt), RESERVED, "reserve", amount);
    }

    /// What an attempt that is over has used, and what is given back of its reservation.
    public static List<SubjectEvent> settled(
            UUID run, int attempt, BigDecimal charged, BigDecimal refunded) {
        var of = new Entry.Of(run, attempt);
        return Stream.of(
                        ofRun(of, CHARGED, "charge", charged),
                        ofRun(of, REFUNDED, "refund", refunded))
                .filter(each -> each.told().amount() != null && each.told().amount() > 0)
                .toList();
    }

    /// The subjects of all that the attempts of a run can have told, from the first on.
    public static List<UUID> ofRun(UUID run, int attempts) {
        return IntStream.rangeClosed(1, attempts)
                .mapToObj(attempt -> new Entry.Of(run, attempt))
                .flatMap(of -> Stream.of(RESERVED, CHARGED, REFUNDED).map(word -> id(of, word)))
                .toList();
    }

    /// An attempt makes one entry of each kind.
    private static UUID id(Entry.Of of, String word) {
        return UUID.nameUUIDFromBytes((of.key("credit." + word)).getBytes(StandardCharsets.UTF_8));
    }

    private static SubjectEvent ofRun(Entry.Of of, String word, String entry, BigDecimal amount) {
        ObjectNode data = JSON.createObjectNode();
        data.put("run_id", PublicId.RUN.of(of.run()));
        data.put("attempt_number", of.attempt());
        data.put("amount", amount);
        data.put("idempotency_key", of.key(entry));
        return SubjectEvent.of(CREDIT.word(), id(of, word), 1, word, null, null)
                .with(data.toString(), PublicId.RUN.of(of.run()))
                .moving(millionths(amount));
    }

    static SubjectEvent reversed(Entry entry, Notice notice) {
        ObjectNode data = JSON.createObjectNode();
        data.put("run_id", PublicId.RUN.of(notice.run()));
        data.put("reverses", PublicId.ENTRY.ofNullable(entry.reverses()));
        data.put("message", notice.message());
        return event("reversed", entry, data);
    }

    private static long millionths(BigDecimal amount) {
        BigDecimal shifted = amount.movePointRight(MILLIONTHS);
        return shifted.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) >= 0
                ? Long.MAX_VALUE
                : shifted.longValue();
    }

    private static SubjectEvent event(String word, Entry entry, ObjectNode data) {
        data.put("ledger_entry_id", PublicId.ENTRY.of(entry.id()));
        data.put("amount", entry.amount());
        if (entry.reason() != null) {
            data.put("reason", entry.reason());
        }
        return SubjectEvent.of(CREDIT.word(), entry.id(), 1, word, null, null)
                .with(data.toString(), null)
                .moving(millionths(entry.amount()));
    }
}
