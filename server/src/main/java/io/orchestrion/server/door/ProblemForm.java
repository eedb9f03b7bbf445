package io.orchestrion.server.door;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.http.Endpoint;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// The form of a door whose errors are problem documents.
///
/// @param <E> the door's errors
public abstract class ProblemForm<E extends Enum<E> & DoorError> implements ErrorForm {
    private final ObjectSpec spec;
    private final E ofHttp;
    private final Function<Endpoint, List<E>> ofEndpoint;
    private final BiFunction<E, String, Problem> worded;

    /// @param spec the body of a problem of this door
    /// @param ofHttp the error for what HTTP itself makes necessary
    /// @param ofEndpoint the errors that an endpoint can answer with
    /// @param worded the problem of an error with a sentence about it
    protected ProblemForm(
            ObjectSpec spec,
            E ofHttp,
            Function<Endpoint, List<E>> ofEndpoint,
            BiFunction<E, String, Problem> worded) {
        this.spec = spec;
        this.ofHttp = ofHttp;
        this.ofEndpoint = ofEndpoint;
        this.worded = worded;
    }

    @Override
    public final String mediaType() {
        return Problem.MEDIA_TYPE;
    }

    @Override
    public final ObjectSpec spec() {
        return spec;
    }

    @Override
    public final String codeField() {
        return "code";
    }

    @Override
    public final DoorError ofHttp() {
        return ofHttp;
    }

    @Override
    public final List<? extends DoorError> all() {
        return List.of(errors().getEnumConstants());
    }

    @Override
    public final List<? extends DoorError> of(Endpoint endpoint) {
        return ofEndpoint.apply(endpoint);
    }

    @Override
    public final void example(JsonWriter out, DoorError error, String requestId) {
        worded.apply(errors().cast(error), error.meaning()).write(out, requestId);
    }

    private Class<E> errors() {
        return ofHttp.getDeclaringClass();
    }
}
