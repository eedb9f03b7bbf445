package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

/// Types of tasks: their schemas, defaults and limits, and whether they are handed out and taken
/// in. From [OrchestrionClient#types].
///
/// All of it is sent again by itself when an answer is lost: doing it twice is the same as once.
public final class TaskTypes {
    private static final String TYPES = "/v1/types";

    private final Transport transport;

    TaskTypes(Transport transport) {
        this.transport = transport;
    }

    /// Registers a type, or says anew all that is said of it.
    ///
    /// @param definition JSON text of an object as `PUT /v1/types/{type}` takes it
    public TaskType put(String type, String definition) {
        return transport.send(
                Call.put(path(type, ""), Json.object(definition, "the definition")),
                ResourceWire::type);
    }

    public TaskType get(String type) {
        return transport.send(Call.get(path(type, "")), ResourceWire::type);
    }

    /// By name, without their schemas.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor of the page before; null for the first
    public Page<TaskType> list(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(TYPES + Parameters.page(limit, cursor)), ResourceWire::types);
    }

    /// Takes the registration out; the tasks stay. False where an earlier try, whose answer got
    /// lost, has done so.
    public boolean delete(String type) {
        return transport.delete(path(type, ""));
    }

    /// Nothing of it is claimed any more; what is held goes on.
    public TaskType pause(String type) {
        return changed(type, "/pause");
    }

    /// Nothing of it is taken in any more; what is there is claimed and done.
    public TaskType drain(String type) {
        return changed(type, "/drain");
    }

    /// Ends a pause and a drain.
    public TaskType resume(String type) {
        return changed(type, "/resume");
    }

    private TaskType changed(String type, String verb) {
        Call call = Call.post(path(type, verb), Json.object());
        return transport.send(call.repeated(true), ResourceWire::type);
    }

    /// Which keys of the type have tasks waiting, and what for.
    ///
    /// @param limit 1 to 200; null for the server's default
    /// @param cursor of the page before; null for the first
    public TypeFlow flow(String type, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(path(type, "/flow" + Parameters.page(limit, cursor))), ResourceWire::flow);
    }

    /// Whether the account takes tasks of registered types only.
    public boolean strict() {
        return transport.send(Call.get("/v1/settings"), ResourceWire::strictTypes);
    }

    /// Sets whether the account takes tasks of registered types only, and says what holds now.
    public boolean strict(boolean strict) {
        return transport.send(
                Call.patch("/v1/settings", Json.object().put("strictTypes", strict)),
                ResourceWire::strictTypes);
    }

    private static String path(String type, String rest) {
        return TYPES + "/" + Parameters.encoded(type) + rest;
    }
}
