package io.orchestrion.kernel.wake;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.wake.Waiters.Key;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;

/// LISTEN and NOTIFY on connections of their own.
final class HintsSql {
    private static final String CHANNEL = "orchestrion_ready";
    private static final int LISTEN_MS = 2000;

    /// The lock that every session holds which listens, so that those who tell can see that
    /// somebody does; no other lock has this number.
    private static final int LISTENING = 1_869_767_529;

    private static final String LISTENS = "select pg_advisory_lock_shared(" + LISTENING + ", 0)";

    private static final String OTHERS_LISTEN =
            "select exists (select from pg_locks l where l.locktype = 'advisory' and l.granted"
                    + " and l.classid = "
                    + LISTENING
                    + " and l.objid = 0 and l.objsubid = 2 and l.pid <> ? and l.database ="
                    + " (select d.oid from pg_database d where d.datname = current_database()))";

    private static final String SEND =
            "select pg_notify('" + CHANNEL + "', hint) from unnest(?::text[]) as hint";

    private final Database database;
    private @Nullable Connection sender;
    private volatile int listenerPid;

    HintsSql(Database database) {
        this.database = database;
    }

    /// Whether another session than this node's own listens now.
    boolean othersListen() {
        return onSender(
                connection -> {
                    try (var look = connection.prepareStatement(OTHERS_LISTEN)) {
                        look.setInt(1, listenerPid);
                        try (ResultSet found = look.executeQuery()) {
                            return found.next() && found.getBoolean(1);
                        }
                    }
                });
    }

    /// Sends all of them with one statement, so that the listeners are woken once.
    void send(String node, Map<Key, Integer> hints) {
        String[] texts =
                hints.entrySet().stream()
                        .map(hint -> text(node, hint.getKey(), hint.getValue()))
                        .toArray(String[]::new);
        onSender(
                connection -> {
                    try (var notify = connection.prepareStatement(SEND)) {
                        notify.setArray(1, connection.createArrayOf("text", texts));
                        return notify.execute();
                    }
                });
    }

    private static String text(String node, Key key, int count) {
        return String.join(
                " ",
                node,
                key.accountId().toString(),
                String.valueOf(count),
                key.queue(),
                key.kind());
    }

    private interface Said {
        boolean on(Connection connection) throws SQLException;
    }

    private boolean onSender(Said said) {
        try {
            Connection connection = sender;
            if (connection == null || connection.isClosed()) {
                connection = database.connect();
                sender = connection;
            }
            return said.on(connection);
        } catch (SQLException e) {
            closeSender();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "hints", e, "");
        }
    }

    void closeSender() {
        Connection connection = sender;
        sender = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // Gone already.
                return;
            }
        }
    }

    /// Hears hints until told to stop or until the connection breaks.
    void listen(String node, ObjIntConsumer<Key> heard, BooleanSupplier stop) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            PGConnection notifications = connection.unwrap(PGConnection.class);
            listenerPid = notifications.getBackendPID();
            statement.execute(LISTENS);
            statement.execute("listen " + CHANNEL);
            while (!stop.getAsBoolean()) {
                PGNotification[] heardNow = notifications.getNotifications(LISTEN_MS);
                for (PGNotification each : heardNow == null ? NOTHING : heardNow) {
                    hear(node, each.getParameter(), heard);
                }
            }
        } catch (SQLException e) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "listener", e, "");
        }
    }

    private static final PGNotification[] NOTHING = {};

    private static void hear(String node, String text, ObjIntConsumer<Key> heard) {
        String[] parts = text.split(" ", 5);
        if (parts.length == 5 && !parts[0].equals(node)) {
            heard.accept(
                    new Key(UUID.fromString(parts[1]), parts[3], parts[4]),
                    Integer.parseInt(parts[2]));
        }
    }
}
