package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.TimeInState;
import io.orchestrion.kernel.work.WaitReason;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Binds and reads the statement of `work.sql` that makes due items ready.
final class PromotionSql {
    private static final List<String> PROMOTIONS_SHOWN =
            Profiles.ALL.stream()
                    .flatMap(
                            profile ->
                                    profile.promotionsShown().stream()
                                            .filter(WaitReason::endsByTime)
                                            .map(reason -> profile.name() + "/" + reason.word()))
                    .sorted()
                    .toList();

    private PromotionSql() {}

    /// A row that a promotion made ready.
    ///
    /// @param left the state and time before it, as the item's history shows them
    record Promotion(
            UUID id,
            String kind,
            int attempt,
            long leaseNumber,
            int eventSeq,
            long eventMs,
            boolean shown,
            @Nullable String trace,
            @Nullable String correlationId,
            TimeInState left) {}

    /// What a promotion did.
    ///
    /// @param limited those of the kinds whose items are claimed key by key
    /// @param switched those of the kinds for which that was changed a moment ago
    record Promoted(List<Promotion> promotions, Set<String> limited, Set<String> switched) {}

    static Promoted promoteDue(Tx tx, UUID account, String queue, List<String> kinds, int most)
            throws SQLException {
        Promoted promoted = empty();
        bound(tx, account, queue, kinds, most).list(row -> read(row, promoted));
        return promoted;
    }

    /// The same in one round trip with the next statement. It must be the first statement of its
    /// round trip.
    static Promoted promoteDueLater(
            Tx tx, UUID account, String queue, List<String> kinds, int most) {
        Promoted promoted = empty();
        bound(tx, account, queue, kinds, most).later(row -> read(row, promoted));
        return promoted;
    }

    private static Promoted empty() {
        return new Promoted(new ArrayList<>(), new HashSet<>(), new HashSet<>());
    }

    private static Bound bound(Tx tx, UUID account, String queue, List<String> kinds, int most) {
        return WorkSql.statements()
                .on(tx, "promote_due")
                .uuid("account", account)
                .text("queue", queue)
                .texts("kinds", List.copyOf(kinds))
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id())
                .texts("shown", List.copyOf(PROMOTIONS_SHOWN))
                .integer("most", most);
    }

    private static Promoted read(ResultSet row, Promoted into) throws SQLException {
        if (row.getObject("id") != null) {
            into.promotions().add(promotion(row));
        }
        if (row.getBoolean("flow")) {
            into.limited().add(row.getString("kind"));
        }
        if (row.getBoolean("reflow")) {
            into.switched().add(row.getString("kind"));
        }
        return into;
    }

    private static Promotion promotion(ResultSet row) throws SQLException {
        boolean shown = row.getBoolean("shown");
        TimeInState before = shown ? TimeInState.of(row.getString("history")).before() : null;
        return new Promotion(
                row.getObject("id", UUID.class),
                row.getString("kind"),
                row.getInt("attempt"),
                row.getLong("lease_number"),
                row.getInt("event_seq"),
                row.getLong("event_ms"),
                shown,
                row.getString("trace"),
                row.getString("correlation_id"),
                before == null ? TimeInState.NOWHERE : before);
    }
}
