package io.orchestrion.server.runs.artifacts;

import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.runs.RunAnswers;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/// What it means to a caller that the store of artifacts failed.
final class StoreFailure {
    private static final Logger log = LoggerFactory.getLogger(StoreFailure.class);

    /// As Linux says it, which has no exception of its own in Java.
    private static final String NO_ROOM = "No space left on device";

    private StoreFailure() {}

    static Answer answer(Call call, IOException failure) {
        log.error("the store of artifacts failed, request {}", call.requestId(), failure);
        boolean full = String.valueOf(failure.getMessage()).contains(NO_ROOM);
        return RunAnswers.troubled(call, full ? StoreTrouble.NO_ROOM : StoreTrouble.UNAVAILABLE);
    }
}
