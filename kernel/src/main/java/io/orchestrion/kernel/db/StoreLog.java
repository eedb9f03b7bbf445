package io.orchestrion.kernel.db;

import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.fault.Repeated;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// Logs how the store fares: once when it goes away and once when it is back; other trouble at most
/// once a minute for each kind. Code that meets such a failure need not log it again.
final class StoreLog {
    private static final Logger log = LoggerFactory.getLogger(StoreLog.class);

    private final Map<Kind, Repeated> kinds = new EnumMap<>(Kind.class);
    private final Repeated losses = new Repeated();
    private volatile boolean away;
    private boolean told;
    private long sinceNanos;
    private long failures;

    StoreLog() {
        for (Kind kind : Kind.values()) {
            kinds.put(kind, new Repeated());
        }
    }

    void failed(StoreException failure) {
        switch (failure.kind()) {
            case UNAVAILABLE -> lost(failure);
            // The caller logs it, with more than is known here.
            case REJECTED -> {}
            case OUTCOME_UNKNOWN, CONFLICT, LOCKED, TIMED_OUT, NO_ROOM, OVERLOADED -> {
                Repeated kind = kinds.get(failure.kind());
                long times = kind == null ? 0 : kind.due();
                if (times > 0) {
                    log.warn(
                            "the store: {}: {} ({} times since this was last said)",
                            failure.kind(),
                            failure.getMessage(),
                            times);
                }
            }
        }
    }

    private synchronized void lost(StoreException failure) {
        failures++;
        if (away) {
            return;
        }
        away = true;
        sinceNanos = System.nanoTime();
        // If one connection breaks and is replaced again and again, one line is enough.
        told = losses.due() > 0;
        if (told) {
            log.warn(
                    "the store cannot be reached, requests are answered 503 until it can: {}",
                    failure.getMessage());
        }
    }

    /// A transaction was committed.
    void good() {
        if (away) {
            back();
        }
    }

    private synchronized void back() {
        if (!away) {
            return;
        }
        away = false;
        if (told) {
            log.warn(
                    "the store can be reached again after {} s; {} tries failed meanwhile",
                    Duration.ofNanos(System.nanoTime() - sinceNanos).toSeconds(),
                    failures);
        }
        failures = 0;
    }
}
