package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

/// Types of tasks: their schemas, defaults and limits, and whether their tasks are claimed and
/// accepted. From [OrchestrionClient#types].
///
/// ```java
/// client.types().put("report", "{\"description\":\"Monthly reports\"}");
/// client.types().pause("report");
/// ```
///
/// When an answer is lost, the client repeats every request of this class: doing it twice is the
/// same as once.
public final class TaskTypes {
    private static final String TYPES = "/v1/types";

    private final Transport transport;

    TaskTypes(Transport transport) {
        this.transport = transport;
    }

    /// Registers a type, or replaces its whole definition.
    ///
    /// @param definition JSON text of an object as `PUT /v1/types/{type}` takes it
    public TaskType put(String type, String definition) {
        return transport.send(
                Call.put(path(type, ""), Json.object(definition, "the definition")),
                ResourceWire::type);
    }

    /// Reads one type.
    public TaskType get(String type) {
        return transport.send(Call.get(path(type, "")), ResourceWire::type);
    }

    /// Reads a page of types by name, without their schemas.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<TaskType> list(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(TYPES + Parameters.page(limit, cursor)), ResourceWire::types);
    }

    /// Deletes the registration. The tasks stay.
    ///
    /// @return false if an earlier try, whose answer was lost, has deleted it
    public boolean delete(String type) {
        return transport.delete(path(type, ""));
    }

    /// Stops claims of this type. Tasks that are held go on.
    public TaskType pause(String type) {
        return changed(type, "/pause");
    }

    /// Refuses new tasks of this type. Tasks that exist are claimed and done.
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

    /// Which keys of the type have waiting tasks, and what they wait for.
    ///
    /// @param limit 1 to 200; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public TypeFlow flow(String type, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(path(type, "/flow" + Parameters.page(limit, cursor))), ResourceWire::flow);
    }

    /// Whether the account accepts only tasks of registered types.
    public boolean strict() {
        return transport.send(Call.get("/v1/settings"), ResourceWire::strictTypes);
    }

    /// Sets whether the account accepts only tasks of registered types, and returns the setting
    /// now.
    public boolean strict(boolean strict) {
        return transport.send(
                Call.patch("/v1/settings", Json.object().put("strictTypes", strict)),
                ResourceWire::strictTypes);
    }

    private static String path(String type, String rest) {
        return TYPES + "/" + Parameters.encoded(type) + rest;
    }
}
