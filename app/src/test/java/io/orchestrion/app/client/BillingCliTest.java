package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.cli.ClientCommands;
import io.orchestrion.cli.Surroundings;
import io.orchestrion.sdk.BillingStatus;
import io.orchestrion.sdk.Checkout;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.PlanActivation;
import io.orchestrion.server.exit.Failures;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Buying a plan with the client and at the terminal, from a server that takes no money.
@Timeout(180)
class BillingCliTest {
    private static ClientServer server;

    @TempDir Path home;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path buyersKey;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// The operator's key is where the server writes it; the buyer's is somewhere else.
    @BeforeEach
    void keys() throws IOException {
        Files.createDirectory(home.resolve(".orchestrion"));
        Files.writeString(home.resolve(".orchestrion/local.key"), server.operatorsKey());
        buyersKey = Files.writeString(home.resolve("buyer.key"), server.newBuyersKey());
    }

    private int run(String... words) {
        out.reset();
        err.reset();
        var complained = new PrintStream(err, true, StandardCharsets.UTF_8);
        CommandSpec root = CommandSpec.create().name("orchestrion");
        ClientCommands.addTo(
                root,
                new Surroundings(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        complained,
                        InputStream.nullInputStream(),
                        Map.of("ORCHESTRION_URL", server.url().toString()),
                        home,
                        false,
                        ZoneId.of("UTC"),
                        InstantSource.system()));
        var commands = new CommandLine(root);
        Failures.handledBy(commands, complained);
        return commands.execute(words);
    }

    private String ran(String... words) {
        assertThat(run(words)).as(err.toString()).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private String[] asBuyer(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--api-key-file", buyersKey.toString()));
        return all.toArray(String[]::new);
    }

    @Test
    void a_plan_is_bought_by_commands_alone() {
        assertThat(ran("billing", "plans").lines())
                .hasSize(5)
                .anyMatch(line -> line.matches("free +- +2 +200 +120 +120 +7 days"))
                .anyMatch(line -> line.matches("basic +9\\.99 +10 +5000 +1200 +500 +30 days"));
        assertThat(ran(asBuyer("billing", "status")))
                .startsWith("Plan free")
                .containsPattern("expires +never")
                .containsPattern("workers +0 of 2");
        assertThat(ran(asBuyer("billing", "purchases"))).isEqualTo("No purchases.\n");
        String checkout = ran(asBuyer("billing", "checkout", "basic"));
        assertThat(checkout)
                .containsPattern("price +9\\.99 USD")
                .contains("no money moves")
                .contains("/billing/approve/local-");
        String purchase = checkout.replaceAll("(?s)^Purchase (\\S+).*", "$1");
        String order = checkout.replaceAll("(?s).*/billing/approve/(\\S+).*", "$1");
        assertThat(checkout).contains("orchestrion billing verify " + purchase);

        assertThat(run(asBuyer("billing", "verify", purchase))).isEqualTo(1);
        assertThat(err.toString())
                .contains("(payment_failed)")
                .contains("next: wait 7m 38s, then try again");
        assertThat(run(asBuyer("billing", "approve", order))).isEqualTo(1);
        assertThat(err.toString()).contains("(insufficient_scope)");
        assertThat(ran("billing", "approve", order))
                .contains("Approved: Orchestrion Basic, 30 days")
                .contains("orchestrion billing verify " + purchase);
        assertThat(ran(asBuyer("billing", "verify", purchase)))
                .startsWith("Paid: basic. The last paid day ends ");
        assertThat(ran(asBuyer("billing", "status")))
                .startsWith("Plan basic")
                .containsPattern("expires +\\d{4}-\\d\\d-\\d\\d .*\\(in (30d 0h|29d 23h)\\)")
                .containsPattern("tasks +0 of 5000 this month")
                .containsPattern("claims +1200 an hour");
        assertThat(ran(asBuyer("billing", "purchases")))
                .containsPattern("activated +basic +9\\.99 USD +" + purchase);
    }

    @Test
    void the_operator_has_no_limits_and_nothing_to_buy() {
        assertThat(ran("billing", "status"))
                .startsWith("Plan unlimited")
                .containsPattern("workers +0, not limited")
                .containsPattern("claims +not limited");
        assertThat(run("billing", "checkout", "pro")).isEqualTo(1);
        assertThat(err.toString()).contains("no limits").contains("(invalid_request)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "billing | Missing required subcommand",
                "billing checkout | PLAN",
                "billing verify | PURCHASE",
                "billing verify 12 | UUID",
                "billing approve | ORDER",
            })
    void a_line_that_is_not_right_ends_with_64(String line, String said) {
        assertThat(run(line.split(" "))).isEqualTo(64);
        assertThat(err.toString()).contains(said);
    }

    @Test
    void a_plan_is_bought_with_the_client() throws IOException {
        try (var buyer = OrchestrionClient.of(server.url(), Files.readString(buyersKey));
                var operator = OrchestrionClient.of(server.url(), server.operatorsKey())) {
            assertThat(buyer.billing().plans()).hasSize(4);
            Checkout checkout = buyer.billing().checkout("pro");
            assertThat(checkout.amount()).isEqualByComparingTo("24.99");
            assertThat(checkout.provider()).isEqualTo("local");
            OrchestrionException early =
                    catchThrowableOfType(
                            OrchestrionException.class,
                            () -> buyer.billing().verify(checkout.purchaseId()));
            assertThat(early.code()).isEqualTo("payment_failed");
            assertThat(early.retryable()).isFalse();
            String order = checkout.approvalUrl().replaceAll(".*/", "");
            assertThat(operator.billing().approve(order).purchaseId())
                    .isEqualTo(checkout.purchaseId());
            PlanActivation paid = buyer.billing().verify(checkout.purchaseId());
            assertThat(paid.plan()).isEqualTo("pro");
            assertThat(buyer.billing().verify(checkout.purchaseId())).isEqualTo(paid);
            BillingStatus status = buyer.billing().status();
            assertThat(status.plan()).isEqualTo("pro");
            assertThat(status.maxWorkers()).isEqualTo(25);
            assertThat(status.planExpiresAt()).isEqualTo(paid.planExpiresAt());
            assertThat(status.periods()).hasSize(1);
            assertThat(
                            Duration.between(
                                    status.periods().getFirst().from(),
                                    status.periods().getFirst().until()))
                    .isEqualTo(Duration.ofDays(30));
            assertThat(buyer.billing().purchases(1))
                    .singleElement()
                    .satisfies(purchase -> assertThat(purchase.status()).isEqualTo("activated"));
            OrchestrionException unknown =
                    catchThrowableOfType(
                            OrchestrionException.class,
                            () -> buyer.billing().verify(UUID.randomUUID()));
            assertThat(unknown.code()).isEqualTo("invalid_request");
        }
    }
}
