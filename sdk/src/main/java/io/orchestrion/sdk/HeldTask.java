package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// A claimed task. One that is cancelled while it is held has no lease any more.
record HeldTask(OrchestrionClient client, TaskHandler handler, ClaimedTask claimed)
        implements Held<Task> {
    @Override
    public UUID id() {
        return claimed.id();
    }

    @Override
    public Task work() {
        return claimed.task();
    }

    @Override
    public Duration lease() {
        return claimed.task().leaseDuration();
    }

    @Override
    public Duration heartbeatInterval() {
        return claimed.heartbeatInterval();
    }

    @Override
    public boolean heartbeat(Duration within) {
        return client.heartbeatOnce(claimed, within).directives().cancelRequested();
    }

    @Override
    public @Nullable String handled() throws Exception {
        return handler.handle(claimed.task());
    }

    @Override
    public Task complete(@Nullable String result) {
        return client.complete(claimed, result);
    }

    @Override
    public Task fail(@Nullable Throwable cause, String reason) {
        return cause instanceof TaskFailure failure
                ? client.fail(
                        claimed.id(),
                        claimed.leaseToken(),
                        reason,
                        failure.retryAfter(),
                        failure.report())
                : client.fail(claimed.id(), claimed.leaseToken(), reason, null);
    }

    @Override
    public int reasonMax() {
        return 500;
    }
}
