package io.orchestrion.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.server.jobs.WebhookSetting;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.webhooks.WebhookOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.converter.ConvertWith;
import org.junit.jupiter.params.converter.SimpleArgumentConverter;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

class SettingsTest {
    @TempDir Path home;

    /// Finds a setting by its name.
    static final class ByName extends SimpleArgumentConverter {
        @Override
        protected Object convert(Object name, Class<?> type) {
            return all().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    static List<Setting> all() {
        return Doors.SETTINGS.all();
    }

    private Settings read(Map<Setting, String> flags, Map<String, String> environment)
            throws StartFailure {
        return new SettingsReader(Doors.SETTINGS, environment, home).read(flags);
    }

    private String refused(Map<Setting, String> flags, Map<String, String> environment) {
        StartFailure failure =
                catchThrowableOfType(StartFailure.class, () -> read(flags, environment));
        assertThat(failure).as("it was taken").isNotNull();
        assertThat(failure.code()).isEqualTo(ExitCode.BAD_SETTINGS);
        return failure.problem();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(home.resolve("own.conf"), text);
    }

    @ParameterizedTest
    @CsvSource({
        //  flag, environment, file, port, origin
        "9001, 9002, 9003, 9001, option --port",
        "    , 9002, 9003, 9002, environment ORCHESTRION_PORT",
        "    ,     , 9003, 9003, line 2",
        "9001,     , 9003, 9001, option --port",
        "    ,     ,     , 8080, default",
    })
    void an_option_wins_over_a_variable_over_the_file_over_the_default(
            String flag, String variable, String line, int port, String origin) throws Exception {
        String config = file("# ours\n" + (line == null ? "" : "port = " + line + "\n")).toString();
        Settings settings =
                read(
                        flag == null
                                ? Map.of(Setting.CONFIG, config)
                                : Map.of(Setting.CONFIG, config, Setting.PORT, flag),
                        variable == null ? Map.of() : Map.of("ORCHESTRION_PORT", variable));
        assertThat(settings.port()).isEqualTo(port);
        assertThat(settings.value(Setting.PORT).origin().toString()).endsWith(origin);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PORT | 65536 | port must be a whole number from 0 to 65535, not \"65536\" (option"
                        + " --port)",
                "PORT | -1 | port must be a whole number from 0 to 65535, not \"-1\" (option"
                        + " --port)",
                "PORT | http | port must be a whole number from 0 to 65535, not \"http\" (option"
                        + " --port)",
                "POOL_SIZE | 1 | pool-size must be a whole number from 2 to 200,"
                        + " not \"1\" (option --pool-size)",
                "RETENTION_DAYS | 0 | retention-days must be a whole number from 1 to 36500, not"
                        + " \"0\" (option --retention-days)",
                "WAKE_HINTS | maybe | wake-hints must be true or false, not \"maybe\" (option"
                        + " --wake-hints)",
                "LOG_FORMAT | xml | log-format must be text or json, not \"xml\" (option"
                        + " --log-format)",
                "LOG_LEVEL | loud | log-level must be error, warn, info, debug or trace, not"
                        + " \"loud\" (option --log-level)",
                "TRUSTED_PROXIES | 10.0.0.0/8,proxy | trusted-proxies must be addresses or ranges"
                        + " such as 10.0.0.0/8 and fd00::/8, with commas between them (\"proxy\" is"
                        + " neither), not \"10.0.0.0/8,proxy\" (option --trusted-proxies)",
                "TRUSTED_PROXIES | 10.0.0.1/8 | trusted-proxies must be addresses or ranges such as"
                        + " 10.0.0.0/8 and fd00::/8, with commas between them (\"10.0.0.1/8\" is"
                        + " neither: a range has no bits set past its length), not \"10.0.0.1/8\""
                        + " (option --trusted-proxies)",
                "HOST | '' | host must not be empty, not \"\" (option --host)",
            })
    void a_bad_value_is_refused_with_the_setting_its_origin_and_the_bound(
            @ConvertWith(ByName.class) Setting setting, String value, String message) {
        assertThat(refused(Map.of(setting, value), Map.of())).isEqualTo(message);
    }

    /// C-68: nobody is trusted unless named.
    /// J-293: what nobody sets is what the code has.
    @Test
    void without_settings_receivers_are_called_as_by_default() throws StartFailure {
        assertThat(WebhookSetting.read(read(Map.of(), Map.of()))).isEqualTo(WebhookOptions.DEFAULT);
    }

    @Test
    void proxies_are_trusted_only_when_they_are_named() throws StartFailure {
        assertThat(read(Map.of(), Map.of()).trustedProxies()).isSameAs(AddressRanges.NONE);
        assertThat(
                        read(Map.of(), Map.of("ORCHESTRION_TRUSTED_PROXIES", "10.0.0.0/8, ::1"))
                                .trustedProxies())
                .isNotSameAs(AddressRanges.NONE);
    }

    @Test
    void every_bad_value_is_told_at_once() {
        assertThat(refused(Map.of(Setting.PORT, "x"), Map.of("ORCHESTRION_POOL_SIZE", "1")).lines())
                .containsExactly(
                        "port must be a whole number from 0 to 65535, not \"x\" (option --port)",
                        "pool-size must be a whole number from 2 to 200, not \"1\""
                                + " (environment ORCHESTRION_POOL_SIZE)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prot = 1 | line 1 sets prot, which is no setting of the file (did you mean port?)",
                "colour = red | line 1 sets colour, which is no setting of the file",
                "config = x | line 1 sets config, which is no setting of the file",
                "port 1 | line 1 has no '=': write key = value",
                "port = 70000 | line 1)",
                "'port = 1\nport = 2' | line 2 sets port again, after",
            })
    void a_bad_line_of_the_file_is_refused_with_its_number(String text, String message)
            throws IOException {
        String config = file(text).toString();
        assertThat(refused(Map.of(Setting.CONFIG, config), Map.of())).contains(message);
    }

    @Test
    void a_file_that_was_named_must_be_there() {
        String config = home.resolve("none.conf").toString();
        assertThat(refused(Map.of(), Map.of("ORCHESTRION_CONFIG", config)))
                .isEqualTo("the settings file " + config + " does not exist");
    }

    @Test
    void the_file_in_the_data_folder_is_read_when_none_is_named() throws Exception {
        Path data = Files.createDirectory(home.resolve(".orchestrion"));
        Files.writeString(data.resolve("orchestrion.conf"), "port = 9\n");
        assertThat(read(Map.of(), Map.of()).port()).isEqualTo(9);
        Files.writeString(data.resolve("orchestrion.conf"), "data = /elsewhere\n");
        assertThat(refused(Map.of(), Map.of())).contains("the file was found through it");
    }

    @ParameterizedTest
    @CsvSource({
        "ORCHESTRION_PROT, nothing reads the variable ORCHESTRION_PROT (did you mean"
                + " ORCHESTRION_PORT?)",
        "ORCHESTRION_COLOUR, nothing reads the variable ORCHESTRION_COLOUR",
        "ORCHESTRION_HEAP, ",
        "ORCHESTRION_SERVICE_HOST, ",
        "ORCHESTRION_PORT_8080_TCP_ADDR, ",
        "PATH, ",
    })
    void an_unknown_variable_is_warned_of(String name, String warning) throws StartFailure {
        Settings settings = read(Map.of(), Map.of(name, "1"));
        if (warning == null) {
            assertThat(settings.warnings()).isEmpty();
        } else {
            assertThat(settings.warnings()).containsExactly(warning);
        }
    }

    @Test
    void the_port_variable_of_a_kubernetes_service_link_is_passed_over() throws StartFailure {
        Settings settings = read(Map.of(), Map.of("ORCHESTRION_PORT", "tcp://10.0.0.7:8080"));
        assertThat(settings.port()).isEqualTo(8080);
        assertThat(settings.warnings()).singleElement().asString().contains("Kubernetes");
    }

    @Test
    void an_empty_variable_counts_as_not_set() throws StartFailure {
        assertThat(read(Map.of(), Map.of("ORCHESTRION_PORT", "")).port()).isEqualTo(8080);
    }

    @Test
    void paths_count_from_the_home_folder_or_from_the_folder_of_the_file() throws Exception {
        assertThat(read(Map.of(), Map.of()).data()).isEqualTo(home.resolve(".orchestrion"));
        String config = file("data = ./data").toString();
        assertThat(read(Map.of(Setting.CONFIG, config), Map.of()).data())
                .isEqualTo(home.resolve("data"));
    }

    @Test
    void passwords_show_nowhere() throws Exception {
        String url = "postgresql://me:s3cret@db/x?password=s3cret";
        Settings settings =
                read(
                        Map.of(Setting.DATABASE_URL, url),
                        Map.of("ORCHESTRION_DATABASE_PASSWORD", "s3cret"));
        assertThat(settings.databasePassword()).isEqualTo("s3cret");
        assertThat(settings.toString())
                .doesNotContain("s3cret")
                .contains("postgresql://me:****@db/x");
        assertThat(settings.value(Setting.DATABASE_URL).toString()).doesNotContain("s3cret");
        assertThat(settings.databaseUrl()).doesNotContain("s3cret");
        assertThat(refused(Map.of(Setting.DATABASE_URL, "mysql://me:s3cret@db/x"), Map.of()))
                .doesNotContain("s3cret");
        assertThat(Setting.DATABASE_PASSWORD.flag()).isNull();
    }

    @Test
    void a_password_comes_from_its_file_or_its_variable_but_not_from_both() throws Exception {
        Path secret = Files.writeString(home.resolve("secret"), "first line\nsecond\n");
        Map<Setting, String> flags = Map.of(Setting.DATABASE_PASSWORD_FILE, secret.toString());
        assertThat(read(flags, Map.of()).databasePassword()).isEqualTo("first line");
        assertThat(refused(flags, Map.of("ORCHESTRION_DATABASE_PASSWORD", "x")))
                .contains("are both set: keep one");
        Files.delete(secret);
        assertThat(refused(flags, Map.of())).contains("cannot be read");
    }

    /// T-196: both or none, and the message names the one that is missing.
    @Test
    void half_of_the_paypal_credentials_is_refused() throws Exception {
        assertThat(refused(Map.of(Setting.PAYPAL_CLIENT_ID, "me"), Map.of()))
                .isEqualTo(
                        "paypal-client-id (option --paypal-client-id) is set and"
                                + " paypal-client-secret is not: set both or none");
        Map<String, String> secret = Map.of("ORCHESTRION_PAYPAL_CLIENT_SECRET", "hush");
        assertThat(refused(Map.of(), secret))
                .isEqualTo(
                        "paypal-client-secret is set and paypal-client-id is not: set both or"
                                + " none");
        Settings both = read(Map.of(Setting.PAYPAL_CLIENT_ID, "me"), secret);
        assertThat(both.payPalClientSecret()).isEqualTo("hush");
        assertThat(both.payPalUrl()).hasToString("https://api-m.paypal.com");
        assertThat(both.toString()).doesNotContain("hush").containsPattern("secret +\\*\\*\\*\\*");
        Settings none = read(Map.of(), Map.of());
        assertThat(none.payPalClientId()).isNull();
        assertThat(none.payPalClientSecret()).isNull();
        assertThat(none.publicUrl()).isNull();
    }

    /// T-196: a secret has no option, and may stand in a file of its own.
    @Test
    void the_paypal_secret_comes_from_a_variable_or_a_file() throws Exception {
        assertThat(Setting.PAYPAL_CLIENT_SECRET.flag()).isNull();
        Path file = Files.writeString(home.resolve("paypal.secret"), "first line\nsecond\n");
        var flags =
                Map.of(
                        Setting.PAYPAL_CLIENT_ID,
                        "me",
                        Setting.PAYPAL_CLIENT_SECRET_FILE,
                        file.toString());
        assertThat(read(flags, Map.of()).payPalClientSecret()).isEqualTo("first line");
        assertThat(refused(flags, Map.of("ORCHESTRION_PAYPAL_CLIENT_SECRET", "x")))
                .contains("are both set: keep one")
                .doesNotContain("first line");
        Files.writeString(file, "");
        assertThat(refused(flags, Map.of())).isEqualTo("paypal-client-secret must not be empty");
        Files.delete(file);
        assertThat(refused(flags, Map.of())).contains("cannot be read").doesNotContain("both or");
    }

    @ParameterizedTest
    @CsvSource({
        "PUBLIC_URL, http://example.org:8080, true",
        "PUBLIC_URL, https://example.org/orchestrion, true",
        "PUBLIC_URL, example.org, false",
        "PUBLIC_URL, ftp://example.org, false",
        "PUBLIC_URL, https://me@example.org, false",
        "PUBLIC_URL, https://example.org?x=1, false",
        "PUBLIC_URL, https://exa mple.org, false",
        "PAYPAL_URL, https://api-m.sandbox.paypal.com, true",
        "PAYPAL_URL, http://127.0.0.1:9999, true",
        "PAYPAL_URL, http://localhost, true",
        "PAYPAL_URL, http://[::1]:1, true",
        // The secret would travel in the open.
        "PAYPAL_URL, http://api-m.paypal.com, false",
    })
    void an_address_of_the_web_is_checked(
            @ConvertWith(ByName.class) Setting setting, String value, boolean good)
            throws Exception {
        if (good) {
            read(Map.of(setting, value), Map.of());
        } else {
            assertThat(refused(Map.of(setting, value), Map.of()))
                    .startsWith(setting.key() + " must be http");
        }
    }

    @Test
    void a_password_in_a_file_that_everybody_may_read_is_warned_of() throws Exception {
        Path config = file("database-password = a#b\n");
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        Settings settings = read(Map.of(Setting.CONFIG, config.toString()), Map.of());
        assertThat(settings.databasePassword()).isEqualTo("a#b");
        assertThat(settings.warnings()).singleElement().asString().contains("chmod 600");
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_default_is_allowed_and_a_doc_is_a_sentence(Setting setting) {
        if (setting.defaultValue() != null) {
            assertThat(setting.kind().problem(setting.defaultValue())).isNull();
        }
        assertThat(setting.doc()).endsWith(".");
    }

    /// closed unless it is said whose tokens are taken, and for what.
    @Test
    void without_an_issuer_no_tokens_are_taken() throws Exception {
        assertThat(read(Map.of(), Map.of()).oidc()).isNull();
    }

    @Test
    void an_issuer_is_taken_with_its_audience_and_claims() throws Exception {
        OidcOptions oidc =
                read(
                                Map.of(
                                        OidcSetting.OIDC_ISSUER, "https://issuer.example/realm/",
                                        OidcSetting.OIDC_AUDIENCE, "orchestrion, other",
                                        OidcSetting.OIDC_REPOSITORIES_CLAIM, "repository",
                                        OidcSetting.OIDC_REQUIRED_CLAIMS, "env=prod, owner = acme"),
                                Map.of("ORCHESTRION_OIDC_CLOCK_SKEW_SECONDS", "5"))
                        .oidc();
        assertThat(oidc.issuer())
                .as("as its tokens say it")
                .isEqualTo("https://issuer.example/realm/");
        assertThat(oidc.audiences()).containsExactly("orchestrion", "other");
        assertThat(oidc.jwksUrl()).isNull();
        assertThat(oidc.clockSkew().toSeconds()).isEqualTo(5);
        assertThat(oidc.claims())
                .isEqualTo(
                        new OidcOptions.Claims(
                                "sub", null, "repository", "allowed_job_types", "capabilities"));
        assertThat(oidc.account()).isEqualTo(Identity.LOCAL_ACCOUNT);
        assertThat(oidc.required()).isEqualTo(Map.of("env", "prod", "owner", "acme"));
        assertThat(oidc.pace().refresh().toSeconds()).isEqualTo(300);
    }

    @Test
    void half_of_the_settings_of_an_issuer_are_refused() {
        assertThat(refused(Map.of(OidcSetting.OIDC_ISSUER, "https://issuer.example"), Map.of()))
                .contains("oidc-issuer (option --oidc-issuer) is set and oidc-audience is not");
        assertThat(refused(Map.of(OidcSetting.OIDC_WORKER_CLAIM, "worker"), Map.of()))
                .contains(
                        "oidc-worker-claim (option --oidc-worker-claim) is set and oidc-issuer is");
        assertThat(
                        refused(
                                Map.of(
                                        OidcSetting.OIDC_ISSUER, "https://issuer.example",
                                        OidcSetting.OIDC_AUDIENCE, " , "),
                                Map.of()))
                .contains("oidc-audience must not be empty");
    }

    @ParameterizedTest
    @CsvSource({
        "OIDC_ISSUER, http://issuer.example",
        "OIDC_ISSUER, issuer.example",
        "OIDC_ISSUER, https://user@issuer.example",
        "OIDC_JWKS_URL, http://192.0.2.1/keys",
        "OIDC_JWKS_URL, file:///keys",
        "OIDC_ACCOUNT, acme",
        "OIDC_ACCOUNT, 1-2-3-4-5",
        "OIDC_REQUIRED_CLAIMS, env",
        "OIDC_REQUIRED_CLAIMS, env=",
        "OIDC_REQUIRED_CLAIMS, 'a=1,a=2'",
        "OIDC_CLOCK_SKEW_SECONDS, 301",
        "OIDC_LIFETIME_MAX_SECONDS, 59",
        "OIDC_KEYS_REFRESH_SECONDS, 29",
    })
    void a_setting_of_the_issuer_that_cannot_be_meant_is_refused(
            @ConvertWith(ByName.class) Setting setting, String value) {
        assertThat(refused(Map.of(setting, value), Map.of())).contains(setting.key() + " must be");
    }
}
