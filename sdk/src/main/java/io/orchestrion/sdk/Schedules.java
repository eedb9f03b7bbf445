package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Schedules, which create tasks by a cron expression or at a fixed interval. From
/// [OrchestrionClient#schedules].
///
/// ```java
/// client.schedules().create("""
///         {"name": "nightly", "cron": "30 2 * * *", "task": {"type": "report", "payload": {}}}
///         """);
/// ```
///
/// A definition is JSON text as `POST /v1/schedules` takes it.
///
/// When an answer is lost, the client repeats reads, replace, pause, resume and delete. Create and
/// run are sent once: each run creates another task, and the server refuses a second schedule of
/// the same name.
public final class Schedules {
    private static final String SCHEDULES = "/v1/schedules";

    private final Transport transport;

    Schedules(Transport transport) {
        this.transport = transport;
    }

    /// Creates a schedule.
    ///
    /// @param definition JSON text of an object
    public Schedule create(String definition) {
        return transport.send(
                Call.post(SCHEDULES, Json.object(definition, "the definition")),
                ResourceWire::schedule);
    }

    /// Replaces the whole definition. Its counts and its history stay.
    public Schedule replace(UUID id, String definition) {
        return transport.send(
                Call.put(path(id, ""), Json.object(definition, "the definition")),
                ResourceWire::schedule);
    }

    /// Reads one schedule.
    public Schedule get(UUID id) {
        return transport.send(Call.get(path(id, "")), ResourceWire::schedule);
    }

    /// Reads a page of schedules, newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<Schedule> list(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(SCHEDULES + Parameters.page(limit, cursor)), ResourceWire::schedules);
    }

    /// Pauses a schedule: it creates nothing until it is resumed. Times that pass meanwhile are not
    /// made up for.
    public Schedule pause(UUID id) {
        return changed(id, "/pause");
    }

    /// Resumes a schedule, which continues with its next time.
    public Schedule resume(UUID id) {
        return changed(id, "/resume");
    }

    private Schedule changed(UUID id, String verb) {
        Call call = Call.post(path(id, verb), Json.object());
        return transport.send(call.repeated(true), ResourceWire::schedule);
    }

    /// Creates one of its tasks at once.
    ///
    /// @return the task's id
    public UUID run(UUID id) {
        return transport.send(
                Call.post(path(id, "/run"), Json.object()),
                answer -> UUID.fromString(Wire.text(answer, "taskId")));
    }

    /// Reads a page of what the schedule did, newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<ScheduleFire> fires(UUID id, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(path(id, "/fires" + Parameters.page(limit, cursor))), ResourceWire::fires);
    }

    /// Deletes a schedule. Its tasks stay.
    ///
    /// @return false if an earlier try, whose answer was lost, has deleted it
    public boolean delete(UUID id) {
        return transport.delete(path(id, ""));
    }

    private static String path(UUID id, String rest) {
        return SCHEDULES + "/" + id + rest;
    }
}
