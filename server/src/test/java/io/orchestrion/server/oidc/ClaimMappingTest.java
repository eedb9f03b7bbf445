package io.orchestrion.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;

/// Who a good token speaks for, and what it may take.
@Timeout(180)
class ClaimMappingTest {
    private static final OidcOptions.Claims OTHERS =
            new OidcOptions.Claims("worker", "tenant", "repository", "types", "tags");

    private final OidcFixture oidc = new OidcFixture(OidcFixture.RSA);
    private final OidcFixture mapped =
            new OidcFixture(
                    true,
                    OTHERS,
                    Map.of("env", "prod", "groups", "builders"),
                    Duration.ofSeconds(20),
                    OidcFixture.RSA);

    @AfterEach
    void close() {
        oidc.close();
        mapped.close();
    }

    private static JwtWorker worker(OidcFixture of, String members) {
        return ((JwtOutcome.Good) of.verifier.verify(of.saying(of.claims() + members))).worker();
    }

    private String mappedVerdict(String members) {
        return mapped.verdict(mapped.saying(mapped.claims() + members));
    }

    /// absent lists restrict nothing, empty ones allow nothing.
    @Test
    void the_worker_is_the_subject_and_lists_are_as_in_a_worker_token() {
        JwtWorker free = worker(oidc, "");
        assertThat(free)
                .isEqualTo(new JwtWorker(OidcFixture.ACCOUNT, "worker-7", null, null, null));
        JwtWorker held =
                worker(
                        oidc,
                        ",\"allowed_repositories\":[\"A/b\",\"c/*\"],\"allowed_job_types\":[],"
                                + "\"capabilities\":[\"git\",\"git\"]");
        assertThat(held.repositories()).containsExactly("A/b", "c/*");
        assertThat(held.kinds()).isEmpty();
        assertThat(held.capabilities()).containsExactly("git");
    }

    /// as the tokens of a forge name the one repository that they are for.
    @Test
    void other_claims_are_read_when_the_settings_name_them() {
        JwtWorker worker =
                worker(
                        mapped,
                        ",\"worker\":\"w-1\",\"tenant\":\"%s\",\"repository\":\"acme/site\",\"tags\":[],\"env\":\"prod\",\"groups\":[\"x\",\"builders\"]"
                                .formatted(OidcFixture.ACCOUNT));
        assertThat(worker.workerId()).isEqualTo("w-1");
        assertThat(worker.account()).isEqualTo(OidcFixture.ACCOUNT);
        assertThat(worker.repositories()).containsExactly("acme/site");
        assertThat(worker.kinds()).isNull();
        assertThat(worker.capabilities()).isEmpty();
    }

    /// what is there and cannot be read was meant to restrict something.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"allowed_repositories\":null",
                "\"allowed_repositories\":7",
                "\"allowed_repositories\":{}",
                "\"allowed_repositories\":[7]",
                "\"allowed_repositories\":[null]",
                "\"allowed_repositories\":[\"\"]",
                "\"allowed_repositories\":[[\"a\"]]",
                "\"allowed_repositories\":[\"*\"]",
                "\"allowed_repositories\":[\"a*\"]",
                "\"allowed_repositories\":[\"*/b\"]",
                "\"allowed_repositories\":[\"a/*/c\"]",
                "\"allowed_repositories\":\"\"",
                "\"allowed_job_types\":true",
                "\"allowed_job_types\":[\" \"]",
                "\"capabilities\":\"a\\nb\"",
                "\"capabilities\":[\"LONG\"]",
            })
    void a_list_that_cannot_be_read_refuses_the_token(String member) {
        String token = oidc.saying(oidc.claims() + "," + member.replace("LONG", "x".repeat(201)));
        assertThat(oidc.verdict(token)).startsWith("claim ");
    }

    @Test
    void a_list_with_too_many_entries_refuses_the_token() {
        String many = "\"x\",".repeat(101);
        String token =
                oidc.saying(
                        oidc.claims()
                                + ",\"capabilities\":["
                                + many.substring(0, many.length() - 1)
                                + "]");
        assertThat(oidc.verdict(token)).isEqualTo("claim capabilities");
    }

    ///
    @ParameterizedTest
    @ValueSource(
            strings = {"", "\"sub\":7,", "\"sub\":null,", "\"sub\":\"\",", "\"sub\":\"LONG\","})
    void a_token_that_names_no_worker_is_refused(String subject) {
        String token =
                oidc.saying(
                        subject.replace("LONG", "x".repeat(201))
                                + "\"iss\":\"%s\",\"aud\":\"orchestrion\",\"exp\":%d"
                                        .formatted(oidc.issuer.url(), oidc.seconds(60)));
        assertThat(oidc.verifier.verify(token)).isInstanceOf(JwtOutcome.Refused.class);
    }

    ///
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"tenant\":7,",
                "\"tenant\":\"acme\",",
                "\"tenant\":\"0190aaaa-0000-7000-8000-000000000002\",",
                "\"tenant\":\"190aaaa-0-7000-8000-1\","
            })
    void a_token_for_an_account_that_is_not_there_is_refused(String tenant) {
        assertThat(
                        mappedVerdict(
                                ","
                                        + tenant
                                        + "\"worker\":\"w\",\"env\":\"prod\",\"groups\":\"builders\""))
                .isEqualTo("claim tenant");
    }

    /// For issuers that give tokens to anybody.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"env\":\"prod\",",
                "\"groups\":\"builders\",",
                "\"env\":\"production\",\"groups\":\"builders\",",
                "\"env\":\"prod\",\"groups\":[\"guests\"],",
                "\"env\":[],\"groups\":[\"builders\"],",
            })
    void a_token_without_a_required_claim_is_refused_before_anybody_is_asked(String members) {
        assertThat(
                        mappedVerdict(
                                ","
                                        + members
                                        + "\"worker\":\"w\",\"tenant\":\""
                                        + OidcFixture.ACCOUNT
                                        + "\""))
                .isEqualTo("required claim");
        assertThat(mapped.issuer.asked()).isZero();
    }
}
