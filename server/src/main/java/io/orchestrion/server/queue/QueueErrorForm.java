package io.orchestrion.server.queue;

import io.orchestrion.server.door.ProblemForm;

/// The queue door's errors: problem documents.
public final class QueueErrorForm extends ProblemForm<QueueError> {
    public QueueErrorForm() {
        super(QueueProblems.SPEC, QueueError.INVALID_REQUEST, QueueErrors::of, QueueProblems::of);
    }
}
