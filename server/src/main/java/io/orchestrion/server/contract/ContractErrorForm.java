package io.orchestrion.server.contract;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// How the documents describe the errors of a door: a code, a sentence and the agent contract.
///
/// @param <E> the door's errors
public class ContractErrorForm<E extends DoorError> implements ErrorForm {
    private final ContractErrors<E> errors;
    private final ObjectSpec spec;
    private final String method;
    private final String path;

    /// @param spec the body of an error
    /// @param method with `path`, the request whose errors serve as examples
    protected ContractErrorForm(
            ContractErrors<E> errors, ObjectSpec spec, String method, String path) {
        this.errors = errors;
        this.spec = spec;
        this.method = method;
        this.path = path;
    }

    @Override
    public String mediaType() {
        return Answer.JSON;
    }

    @Override
    public ObjectSpec spec() {
        return spec;
    }

    @Override
    public String codeField() {
        return "error";
    }

    @Override
    public DoorError ofHttp() {
        return errors.of(CommonError.INVALID_REQUEST);
    }

    @Override
    public List<? extends DoorError> all() {
        return errors.all();
    }

    @Override
    public List<? extends DoorError> of(Endpoint endpoint) {
        return errors.of(endpoint);
    }

    @Override
    public void example(JsonWriter out, DoorError error, String requestId) {
        E own =
                errors.all().stream()
                        .filter(error::equals)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(error.code()));
        ErrorAnswers.write(out, own, own.meaning(), requestId, errors.guidance(own, method, path));
    }
}
