package io.orchestrion.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
    @ParameterizedTest
    @CsvSource({
        //  address, for the driver, user, password
        "postgresql://me:pw@db:5433/x, jdbc:postgresql://db:5433/x, me, pw",
        "postgres://me@db/x, jdbc:postgresql://db/x, me, ",
        "jdbc:postgresql://db/x?user=me&password=p%26w&sslmode=require,"
                + " jdbc:postgresql://db/x?sslmode=require, me, p&w",
        "postgresql://me:p%40w+1@db/x?connect_timeout=3, jdbc:postgresql://db/x?connectTimeout=3,"
                + " me, p@w+1",
        "postgresql://[::1]:5432/x, jdbc:postgresql://[::1]:5432/x, , ",
        "'postgresql://a:1,b:2/x?targetServerType=primary',"
                + " 'jdbc:postgresql://a:1,b:2/x?targetServerType=primary', , ",
    })
    void both_forms_are_taken_apart(String address, String jdbc, String user, String password) {
        assertThat(DatabaseUrl.problem(address)).isNull();
        DatabaseUrl url = DatabaseUrl.parse(address);
        assertThat(url.jdbcUrl()).isEqualTo(jdbc);
        assertThat(url.user()).isEqualTo(user);
        assertThat(url.password()).isEqualTo(password);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db:5432/x",
                "mysql://db/x",
                "postgresql://db",
                "postgresql://me:p@ss@db/x",
                "postgresql://me:100%@db/x",
                "postgresql://d b/x",
                "postgresql://db:port/x",
            })
    void other_addresses_are_refused(String address) {
        assertThat(DatabaseUrl.problem(address)).startsWith("must ");
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://me:s3cret@db/x, postgresql://me:****@db/x",
        "postgresql://me:s3@cret@db/x, postgresql://me:****@db/x",
        "postgresql://me:s3/cret@db/x, postgresql://me:****@db/x",
        "jdbc:postgresql://db/x?Password=s3cret&a=b, jdbc:postgresql://db/x?Password=****&a=b",
        "postgresql://me@db/x, postgresql://me@db/x",
    })
    void a_password_is_starred_in_every_form(String address, String masked) {
        assertThat(DatabaseUrl.masked(address)).isEqualTo(masked);
    }
}
