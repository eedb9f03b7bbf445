package io.orchestrion.server.ops;

import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Settings;

/// Where the server's database comes from: started here, or reached over the network.
public interface DatabaseSource {
    /// Answers when the database takes connections. Steps worth a line are told to `progress`.
    OpenDatabase open(Settings settings, Progress progress) throws StartFailure;

    /// The outside database when `--database-url` names one, the embedded one otherwise.
    static DatabaseSource choosing(DatabaseSource embedded, DatabaseSource outside) {
        return (settings, progress) ->
                (settings.databaseUrl() == null ? embedded : outside).open(settings, progress);
    }
}
