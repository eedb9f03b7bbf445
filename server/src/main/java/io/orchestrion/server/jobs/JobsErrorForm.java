package io.orchestrion.server.jobs;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The jobs door's errors: problem documents with codes of their own.
public final class JobsErrorForm implements ErrorForm {
    @Override
    public String mediaType() {
        return Problem.MEDIA_TYPE;
    }

    @Override
    public ObjectSpec spec() {
        return JobsProblems.SPEC;
    }

    @Override
    public String codeField() {
        return "code";
    }

    @Override
    public DoorError ofHttp() {
        return JobsError.REQUEST_MALFORMED;
    }

    @Override
    public List<? extends DoorError> all() {
        return List.of(JobsError.values());
    }

    @Override
    public List<? extends DoorError> of(Endpoint endpoint) {
        return JobsErrors.of(endpoint);
    }

    @Override
    public void example(JsonWriter out, DoorError error, String requestId) {
        JobsProblems.of((JobsError) error, error.meaning()).write(out, requestId);
    }
}
