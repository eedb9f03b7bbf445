package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Schedules, which make tasks by cron or at a fixed distance. From [OrchestrionClient#schedules].
///
/// A definition is JSON text as `POST /v1/schedules` takes it:
///
/// ```java
/// client.schedules().create("""
///         {"name": "nightly", "cron": "30 2 * * *", "task": {"type": "report", "payload": {}}}
///         """);
/// ```
///
/// Reads, replacing, pausing, resuming and deleting are sent again by themselves when an answer is
/// lost. Creating and running are sent once: the server makes another task for each run, and
/// refuses a second schedule of the same name.
public final class Schedules {
    private static final String SCHEDULES = "/v1/schedules";

    private final Transport transport;

    Schedules(Transport transport) {
        this.transport = transport;
    }

    /// @param definition JSON text of an object
    public Schedule create(String definition) {
        return transport.send(
                Call.post(SCHEDULES, Json.object(definition, "the definition")),
                ResourceWire::schedule);
    }

    /// Says everything about it anew; what it has counted and done stays.
    public Schedule replace(UUID id, String definition) {
        return transport.send(
                Call.put(path(id, ""), Json.object(definition, "the definition")),
                ResourceWire::schedule);
    }

    public Schedule get(UUID id) {
        return transport.send(Call.get(path(id, "")), ResourceWire::schedule);
    }

    /// Newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor of the page before; null for the first
    public Page<Schedule> list(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(SCHEDULES + Parameters.page(limit, cursor)), ResourceWire::schedules);
    }

    /// It makes nothing until it is resumed, and nothing of that time afterwards.
    public Schedule pause(UUID id) {
        return changed(id, "/pause");
    }

    /// It goes on with its next time.
    public Schedule resume(UUID id) {
        return changed(id, "/resume");
    }

    private Schedule changed(UUID id, String verb) {
        Call call = Call.post(path(id, verb), Json.object());
        return transport.send(call.repeated(true), ResourceWire::schedule);
    }

    /// Makes one of its tasks at once.
    ///
    /// @return the task's id
    public UUID run(UUID id) {
        return transport.send(
                Call.post(path(id, "/run"), Json.object()),
                answer -> UUID.fromString(Wire.text(answer, "taskId")));
    }

    /// What it did, newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor of the page before; null for the first
    public Page<ScheduleFire> fires(UUID id, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(path(id, "/fires" + Parameters.page(limit, cursor))), ResourceWire::fires);
    }

    /// Its tasks stay. False where an earlier try, whose answer got lost, has removed it.
    public boolean delete(UUID id) {
        return transport.delete(path(id, ""));
    }

    private static String path(UUID id, String rest) {
        return SCHEDULES + "/" + id + rest;
    }
}
