package io.orchestrion.kernel.outbox;

import java.util.UUID;

/// One message: a change of one item, by its place in the item's history.
public record OutboxMessage(
        UUID accountId,
        UUID id,
        String topic,
        UUID workId,
        int eventSeq,
        long createdMs,
        int tries) {}
