package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.runner.RunnerPool;
import io.orchestrion.sdk.ClientKey;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/// The commands of jobs and webhooks, on a real server with a real runner.
@Timeout(180)
class JobsCliTest {
    private static ClientServer server;
    private static RunnerPool runner;

    @TempDir Path home;
    private CommandRunner cli;

    @BeforeAll
    static void start() {
        server = new ClientServer();
        runner = server.runner();
    }

    @AfterAll
    static void stop() {
        runner.close();
        server.close();
    }

    @BeforeEach
    void account() throws IOException {
        cli = new CommandRunner(home, server.url(), server.newKey());
    }

    private String submitted(String kind) {
        return cli.json("jobs", "submit", "--kind", kind).at("/job_id").asString();
    }

    /// J-001, J-002, J-008, J-392.
    @Test
    void a_job_is_submitted_watched_and_its_report_read() {
        assertThat(cli.ran("jobs", "submit", "--kind", "success_fast", "--key", "order-42"))
                .containsPattern("state +QUEUED")
                .contains("orchestrion jobs watch ");
        String id =
                cli.json("jobs", "submit", "--kind", "SUCCESS_FAST", "--key", "order-42")
                        .at("/job_id")
                        .asString();
        assertThat(cli.ran("jobs", "watch", id)).contains("SUCCEEDED");
        assertThat(cli.ran("jobs", "get", id))
                .containsPattern("outcome +SUCCESS")
                .containsPattern("work +SUCCESS_FAST, 1.0 s, 4 KB");
        assertThat(cli.ran("jobs", "report", id))
                .containsPattern("CREATED +job.created")
                .containsPattern("ASSIGNED +job.assigned")
                .containsPattern("SUCCEEDED +job.succeeded");
        assertThat(cli.ran("jobs", "list", "--outcome", "success").lines().toList())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("SUCCEEDED") && line.contains(id));
        assertThat(cli.ran("jobs", "list", "--state", "failed")).isEqualTo("No jobs.\n");
    }

    @Test
    void a_failed_job_is_retried_and_deleted() {
        String id = submitted("FAIL_IMMEDIATE");
        assertThat(cli.run("jobs", "watch", id)).isEqualTo(1);
        assertThat(cli.out()).contains("FAILED");
        assertThat(cli.ran("jobs", "get", id)).contains("failure", "orchestrion jobs retry " + id);
        assertThat(cli.run("jobs", "cancel", id)).as("it has failed").isEqualTo(1);
        assertThat(cli.out()).contains(" is FAILED");
        assertThat(cli.ran("jobs", "retry", id)).contains("is QUEUED, attempt 2.");
        assertThat(cli.ran("jobs", "cancel", id)).contains(" is CANCELED.");
        assertThat(cli.run("jobs", "retry", id)).as("it is cancelled").isEqualTo(1);
        assertThat(cli.ran("jobs", "deliveries", id)).isEqualTo("Nothing was sent.\n");
        assertThat(cli.ran("jobs", "delete", id)).contains("is gone.");
        assertThat(cli.run("jobs", "get", id)).isEqualTo(1);
        assertThat(cli.err()).contains("(RFA_JOB_NOT_FOUND)", "next: orchestrion jobs list");
    }

    @Test
    void every_kind_of_work_is_listed() {
        assertThat(cli.ran("jobs", "kinds").lines().toList())
                .hasSize(32)
                .anyMatch(line -> line.matches("SUCCESS_SLOW +90.0 s +32 KB +SUCCEEDED"))
                .anyMatch(line -> line.matches("CANCEL_DURING_RUN .*CANCELED +cancel"));
    }

    @Test
    void a_receiver_is_registered_changed_and_removed() throws Exception {
        Path file = home.resolve("hook.secret");
        assertThat(
                        cli.ran(
                                "webhooks",
                                "create",
                                "--to",
                                "https://93.184.215.14/hook",
                                "--events",
                                "job.succeeded,job.failed",
                                "--description",
                                "mine",
                                "--save",
                                file.toString()))
                .contains("its secret is in " + file)
                .doesNotContain("whsec_");
        assertThat(Files.readString(file)).startsWith("whsec_");
        String id = cli.json("webhooks", "list").at("/webhooks/0/webhook_id").asString();
        assertThat(cli.ran("webhooks", "list"))
                .containsPattern("active +" + id + " +https://93.184.215.14/hook");
        assertThat(cli.ran("webhooks", "pause", id)).containsPattern("state +paused");
        assertThat(cli.ran("webhooks", "resume", id)).containsPattern("state +active");
        assertThat(cli.ran("webhooks", "events", id, "--events", "job.canceled"))
                .containsPattern("events +job.canceled");
        assertThat(cli.ran("webhooks", "deliveries", id)).isEqualTo("Nothing was sent.\n");
        assertThat(cli.run("webhooks", "rotate-secret", id)).as(cli.err()).isZero();
        assertThat(cli.out()).startsWith("whsec_");
        assertThat(cli.ran("webhooks", "delete", id)).contains("is gone.");
        assertThat(cli.run("webhooks", "get", id)).isEqualTo(1);
        assertThat(cli.err()).contains("(RFA_WEBHOOK_NOT_FOUND)", "next: orchestrion webhooks");
    }

    /// J-060, J-061, J-063, J-066, J-073, J-077.
    @Test
    void a_newcomer_makes_a_client_and_keys_with_the_sdk() {
        try (var nobody = OrchestrionClient.builder(server.url()).build()) {
            UUID id = nobody.clients().create("mine-" + UUID.randomUUID());
            ClientKey first = nobody.clients().key(id);
            try (var client = OrchestrionClient.of(server.url(), first.apiKey())) {
                assertThat(client.jobs().catalogue()).hasSize(31);
                ClientKey second = client.clients().rotate(id);
                assertThat(refused(first)).startsWith("RFA_AUTH_");
                try (var rotated = OrchestrionClient.of(server.url(), second.apiKey())) {
                    ClientKey third = rotated.clients().renew(id);
                    try (var renewed = OrchestrionClient.of(server.url(), third.apiKey())) {
                        assertThat(renewed.clients().revoke(id, third.keyId())).isTrue();
                    }
                    assertThat(refused(third)).isEqualTo("RFA_AUTH_API_KEY_DISABLED");
                }
            }
        }
    }

    private static String refused(ClientKey key) {
        try (var client = OrchestrionClient.of(server.url(), key.apiKey())) {
            client.jobs().catalogue();
            return "";
        } catch (OrchestrionException e) {
            return e.code();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jobs | Missing required subcommand",
                "jobs submit --at soon | --at must be a time such as",
                "jobs submit --at 2030-01-01T00:00:00Z --emit | does not go with --at",
                "jobs submit --payload nonsense | payload is not JSON",
                "jobs list --state lost | --state must be one of CREATED, QUEUED",
                "jobs list --outcome good | --outcome must be one of SUCCESS",
                "jobs watch 12 | UUID",
                "webhooks create --to http://x/ | --events",
                "webhooks create --to http://x/ --events , | --events",
            })
    void a_line_that_is_not_right_ends_with_64(String line, String said) {
        assertThat(cli.run(line.split(" "))).as(cli.err()).isEqualTo(64);
        assertThat(cli.err()).contains(said).contains("next: ").doesNotContain("\tat ");
    }
}
