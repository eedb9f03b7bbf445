package io.orchestrion.server.http;

import io.orchestrion.kernel.fault.Repeated;

import org.slf4j.Logger;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The lines that the log has about calls: each at the level of debugging, and refusals for load
/// and other answers of 5xx as warnings, at most now and then.
final class CallLog {
    private static final String PLAIN = "[0-9A-Za-z._~-]{0,19}";

    private final Logger log;
    private final Refusals refusals = new Refusals();
    private final RefusalLog loadRefusals = new RefusalLog(System::nanoTime);

    CallLog(Logger log) {
        this.log = log;
    }

    /// @param began when the call began, by [System#nanoTime]
    void answered(Call call, Answer answer, long began) {
        if (log.isDebugEnabled()) {
            log.debug(
                    "{} {} -> {} in {} us, request {}",
                    call.method(),
                    shown(call),
                    answer.status(),
                    (System.nanoTime() - began) / 1000,
                    call.requestId());
        }
        if (call.refusedForLoad()) {
            loadRefusals.one();
            return;
        }
        // A 500 was logged with its cause.
        long times = answer.status() > 500 ? refusals.due(answer.status()) : 0;
        if (times > 0) {
            log.warn(
                    "{} {} -> {}, request {} ({} such answers since this was last said)",
                    call.method(),
                    shown(call),
                    answer.status(),
                    call.requestId(),
                    times);
        }
    }

    /// How a log may show a path: a known one by its template. An unknown path may hold anything,
    /// so only segments are shown that are plain and shorter than any secret.
    static String shown(Call call) {
        Endpoint endpoint = call.endpoint();
        if (endpoint != null) {
            return endpoint.path();
        }
        String path =
                Arrays.stream(call.path().split("/", -1))
                        .map(segment -> segment.matches(PLAIN) ? segment : "(hidden)")
                        .collect(Collectors.joining("/"));
        return path.length() > 100 ? path.substring(0, 100) + "..." : path;
    }

    /// Counts repeated answers by status: while the store is away, or there is too much load, every
    /// request gets the same one.
    private static final class Refusals {
        private final Map<Integer, Repeated> byStatus = new ConcurrentHashMap<>();

        long due(int status) {
            return byStatus.computeIfAbsent(status, _ -> new Repeated()).due();
        }
    }
}
