package io.orchestrion.server.runs;

import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// The ids in the paths of the runs door.
public final class RunPaths {
    private RunPaths() {}

    /// The run that the path names, which the log then names too; null for what can be no id.
    public static @Nullable UUID run(Call call) {
        return id(call, "run_id", PublicId.RUN);
    }

    public static @Nullable UUID id(Call call, String parameter, PublicId kind) {
        UUID id = kind.read(call.pathParameter(parameter));
        if (id != null) {
            call.about(parameter, id);
        }
        return id;
    }

    /// An id in the query, whose form was checked; null where it was not sent.
    public static @Nullable UUID asked(Call call, String parameter, PublicId kind) {
        String sent = call.queryValues().textOrNull(parameter);
        return sent == null ? null : kind.read(sent);
    }
}
