package io.orchestrion.kernel.db;

import java.time.Duration;

/// How to reach the database and how long anything may take there.
///
/// @param schema the schema that holds all our tables, so that an outside database can be shared
/// @param poolSize connections for reads, sweepers and single writes; the committers have their own
/// @param poolWait how long a caller waits for a connection before it is refused as overload
/// @param transactionTimeout how long a transaction may be open, whatever its statements take
public record DatabaseOptions(
        String jdbcUrl,
        String user,
        String password,
        String schema,
        int poolSize,
        Duration poolWait,
        Duration statementTimeout,
        Duration transactionTimeout,
        Duration lockTimeout,
        Duration connectTimeout) {

    public static DatabaseOptions of(String jdbcUrl, String user, String password) {
        return new DatabaseOptions(
                jdbcUrl,
                user,
                password,
                "orchestrion",
                8,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5));
    }

    public DatabaseOptions {
        if (!schema.matches("[a-z_][a-z0-9_]{0,50}")) {
            throw new IllegalArgumentException("schema must be a plain lower-case name");
        }
    }

    public DatabaseOptions withPoolSize(int size) {
        return new DatabaseOptions(
                jdbcUrl,
                user,
                password,
                schema,
                size,
                poolWait,
                statementTimeout,
                transactionTimeout,
                lockTimeout,
                connectTimeout);
    }

    public DatabaseOptions withLockTimeout(Duration timeout) {
        return withTimeouts(statementTimeout, transactionTimeout, timeout);
    }

    public DatabaseOptions withTimeouts(Duration statement, Duration transaction, Duration lock) {
        return new DatabaseOptions(
                jdbcUrl,
                user,
                password,
                schema,
                poolSize,
                poolWait,
                statement,
                transaction,
                lock,
                connectTimeout);
    }

    @Override
    public String toString() {
        return "DatabaseOptions[" + schema + ", user " + user + ", password hidden]";
    }
}
