package io.orchestrion.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.DatabaseUrl;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.Map;

class OutsideDatabaseTest {
    private static final DatabaseUrl URL = DatabaseUrl.parse("postgresql://me@db:5433/x");

    @Test
    void a_server_that_is_too_old_is_refused_with_both_versions() {
        StartFailure failure =
                catchThrowableOfType(
                        StartFailure.class,
                        () ->
                                OutsideDatabase.checked(
                                        URL,
                                        "me",
                                        null,
                                        new DatabaseProbeSql.Version(140011, "14.11")));
        assertThat(failure.code()).isEqualTo(ExitCode.DATABASE_VERSION);
        assertThat(failure.problem())
                .isEqualTo(
                        "the database at db:5433 is PostgreSQL 14.11, and Orchestrion needs 15 or"
                                + " newer");
    }

    @Test
    void a_server_that_is_new_enough_is_described_without_secrets() throws StartFailure {
        OpenDatabase database =
                OutsideDatabase.checked(
                        URL, "me", "s3cret", new DatabaseProbeSql.Version(150000, "15.0"));
        assertThat(database.description()).isEqualTo("PostgreSQL 15.0 at db:5433");
        assertThat(database.toString()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, DATABASE_REFUSED",
        "28000, DATABASE_REFUSED",
        "3D000, DATABASE_REFUSED",
        "08004, DATABASE_REFUSED",
        "08001, DATABASE_UNREACHABLE",
        "57P03, DATABASE_UNREACHABLE",
        ", DATABASE_UNREACHABLE",
    })
    void what_cannot_get_better_by_waiting_has_its_own_code(String state, ExitCode code) {
        StartFailure failure = OutsideDatabase.explained(new SQLException("no", state), URL, "me");
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.problem()).contains("db:5433").endsWith(": no");
    }

    @Test
    void a_server_that_is_not_there_is_unreachable_with_address_and_reason() throws Exception {
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        String url = "postgresql://me:s3cret@127.0.0.1:" + port + "/x";
        Settings settings =
                Doors.SETTINGS.of(
                        Map.of(Setting.DATABASE_URL, url, Setting.DATABASE_WAIT_SECONDS, "0"));
        StartFailure failure =
                catchThrowableOfType(
                        StartFailure.class,
                        () -> new OutsideDatabase().open(settings, Progress.SILENT));
        assertThat(failure.code()).isEqualTo(ExitCode.DATABASE_UNREACHABLE);
        assertThat(failure.problem())
                .startsWith("no connection to the database at 127.0.0.1:" + port + ": ")
                .containsIgnoringCase("refused")
                .doesNotContain("s3cret");
    }
}
