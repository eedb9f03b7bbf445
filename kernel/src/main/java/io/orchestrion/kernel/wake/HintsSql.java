package io.orchestrion.kernel.wake;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.wake.Waiters.Key;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
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

    private final Database database;
    private @Nullable Connection sender;

    HintsSql(Database database) {
        this.database = database;
    }

    /// One transaction for all of them, so that the listeners are woken once.
    void send(String node, Map<Key, Integer> hints) {
        try {
            Connection connection = sender;
            if (connection == null || connection.isClosed()) {
                connection = database.connect();
                connection.setAutoCommit(false);
                sender = connection;
            }
            try (var notify = connection.prepareStatement("select pg_notify(?, ?)")) {
                for (var hint : hints.entrySet()) {
                    Key key = hint.getKey();
                    notify.setString(1, CHANNEL);
                    notify.setString(
                            2,
                            node
                                    + " "
                                    + key.accountId()
                                    + " "
                                    + hint.getValue()
                                    + " "
                                    + key.queue()
                                    + " "
                                    + key.kind());
                    notify.executeQuery().close();
                }
            }
            connection.commit();
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
            statement.execute("listen " + CHANNEL);
            PGConnection notifications = connection.unwrap(PGConnection.class);
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
