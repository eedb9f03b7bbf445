package io.orchestrion.kernel.plan;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.UUID;

/// How much of its plan an account has used.
///
/// @param month the calendar month, in UTC, that tasks are counted in
/// @param tasksThisMonth what was counted; nothing is for the unlimited plan
/// @param activeWorkers live leases in the queue that was asked about
public record Usage(Month month, long tasksThisMonth, int activeWorkers) {

    /// A calendar month in UTC.
    ///
    /// @param number as it is stored: 202611
    /// @param endMs the first moment of the next one
    public record Month(int number, long startMs, long endMs) {
        public static Month at(long nowMs) {
            var month = YearMonth.from(Instant.ofEpochMilli(nowMs).atOffset(ZoneOffset.UTC));
            return new Month(
                    month.getYear() * 100 + month.getMonthValue(),
                    start(month),
                    start(month.plusMonths(1)));
        }

        private static long start(YearMonth month) {
            return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        }
    }

    /// Reads it as it is stored now. Takes no lock: it is for showing, not for refusing.
    public static Usage of(Tx tx, UUID account, String queue) throws SQLException {
        Month month = Month.at(tx.nowMillis());
        return new Usage(
                month,
                PlanSql.month(tx, account, month.number()),
                PlanSql.liveLeases(tx, account, queue).count());
    }
}
