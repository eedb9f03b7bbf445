package io.orchestrion.server.ops;

import io.orchestrion.postgres.PostgresHost;

import org.jspecify.annotations.Nullable;

/// A database that answered: how to connect to it, and how to let go of it.
public interface OpenDatabase extends AutoCloseable {
    /// Without user and password.
    String jdbcUrl();

    @Nullable String user();

    @Nullable String password();

    /// For the banner, without secrets: `PostgreSQL 18.6, embedded` or `PostgreSQL 16.2 at
    /// db:5432`.
    String description();

    /// What is known of the machine below it; null for an outside one.
    default @Nullable PostgresHost host() {
        return null;
    }

    /// Stops an embedded database; for an outside one there is nothing to do. May be called twice.
    @Override
    void close();
}
