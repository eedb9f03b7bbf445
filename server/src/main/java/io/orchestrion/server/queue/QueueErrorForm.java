package io.orchestrion.server.queue;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The queue door's errors: problem documents.
public final class QueueErrorForm implements ErrorForm {
    @Override
    public String mediaType() {
        return Problem.MEDIA_TYPE;
    }

    @Override
    public ObjectSpec spec() {
        return QueueProblems.SPEC;
    }

    @Override
    public String codeField() {
        return "code";
    }

    @Override
    public DoorError ofHttp() {
        return QueueError.INVALID_REQUEST;
    }

    @Override
    public List<? extends DoorError> all() {
        return List.of(QueueError.values());
    }

    @Override
    public List<? extends DoorError> of(Endpoint endpoint) {
        return QueueErrors.of(endpoint);
    }

    @Override
    public void example(JsonWriter out, DoorError error, String requestId) {
        QueueProblems.of((QueueError) error, error.meaning()).write(out, requestId);
    }
}
