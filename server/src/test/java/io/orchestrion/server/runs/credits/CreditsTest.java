package io.orchestrion.server.runs.credits;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What an account sees of its credits, and what the server's operator does.
class CreditsTest {
    private static final String CREDITS = "/api/v1/credits";
    private static final String LEDGER = CREDITS + "/ledger";
    private static final String GRANTS = "/api/v1/admin/credits/grants";
    private static final String REVERSALS = "/api/v1/admin/billing/reversals";
    private static final String ANOMALIES = "/api/v1/admin/billing/anomalies";
    private static final String INVARIANTS = "/api/v1/admin/invariants";

    private static final TestServer SERVER = new TestServer();

    private final TaskApi account = SERVER.account();
    private final Api operator = operator();

    @AfterAll
    static void close() {
        SERVER.close();
    }

    private static Api operator() {
        Registration made = SERVER.kernel().kernel().identity().registerLocal("operator");
        return SERVER.anonymous().withKey(made.key().reveal());
    }

    private String grant(String amount, String key) {
        return "{\"org_id\":\"%s\",\"amount\":%s,\"idempotency_key\":\"%s\",\"reason\":\"test\"}"
                .formatted(account.accountId(), amount, key);
    }

    private static String reversal(String entry) {
        return "{\"ledger_entry_id\":\"%s\",\"reason\":\"charged twice\"}".formatted(entry);
    }

    private void has(String balance, String reserved, String available) {
        Reply reply = account.api().get(CREDITS);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.at("/balance").decimalValue()).isEqualByComparingTo(balance);
        assertThat(reply.at("/reserved").decimalValue()).isEqualByComparingTo(reserved);
        assertThat(reply.at("/available").decimalValue()).isEqualByComparingTo(available);
    }

    /// A run of the account that has reserved 100 and used so much.
    private UUID settled(String charged) {
        UUID run = UUID.randomUUID();
        UUID id = UUID.fromString(account.accountId());
        var ledger = new Ledger(SERVER.kernel().kernel().ids(), InitialGrants.DEFAULT);
        SERVER.kernel()
                .kernel()
                .database()
                .retried(
                        tx -> {
                            ledger.reserve(tx, id, run, 1, new BigDecimal(100));
                            ledger.settle(
                                    tx,
                                    id,
                                    run,
                                    1,
                                    new BigDecimal(charged),
                                    new BigDecimal(100).subtract(new BigDecimal(charged)));
                            return true;
                        });
        return run;
    }

    private String charge(UUID run) {
        for (JsonNode entry : account.api().get(LEDGER + "?run_id=" + run).at("/items")) {
            if (entry.at("/transaction_type").asString().equals("charge")) {
                return entry.at("/id").asString();
            }
        }
        throw new AssertionError("no charge");
    }

    /// R-216, CB-079.
    @Test
    void a_new_account_sees_its_initial_credits() {
        has("1000", "0", "1000");
        Reply ledger = account.api().get(LEDGER);
        assertThat(ledger.at("/items")).hasSize(1);
        assertThat(ledger.text("/items/0/transaction_type")).isEqualTo("grant");
        assertThat(ledger.at("/items/0/run_id").isNull()).isTrue();
        assertThat(ledger.text("/items/0/org_id")).isEqualTo(account.accountId());
    }

    ///
    @Test
    void the_ledger_is_read_in_order_by_run_and_in_pages() {
        UUID first = settled("40");
        UUID second = settled("0");
        has("960", "0", "960");
        Reply all = account.api().get(LEDGER);
        assertThat(all.at("/items")).hasSize(6);
        for (int i = 0; i < 6; i++) {
            assertThat(all.number("/items/" + i + "/seq")).isEqualTo(i + 1);
        }
        Reply ofRun = account.api().get(LEDGER + "?run_id=" + PublicId.RUN.of(first));
        assertThat(
                        ofRun.at("/items")
                                .valueStream()
                                .map(each -> each.at("/transaction_type").asString()))
                .containsExactly("reserve", "charge", "refund");
        assertThat(ofRun.text("/items/2/refund_kind")).isEqualTo("release");
        assertThat(ofRun.text("/items/0/idempotency_key")).isEqualTo("run:" + first + ":1:reserve");
        assertThat(account.api().get(LEDGER + "?run_id=" + second + "&after_seq=5").at("/items"))
                .hasSize(1);

        var seen = new ArrayList<Integer>();
        String next = "";
        do {
            Reply page = account.api().get(LEDGER + "?limit=4" + next);
            page.at("/items").forEach(entry -> seen.add(entry.at("/seq").asInt()));
            JsonNode cursor = page.at("/next_cursor");
            next = cursor.isNull() ? null : "&cursor=" + cursor.asString();
        } while (next != null);
        assertThat(seen).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void an_account_sees_nothing_of_another_ones_ledger() {
        UUID run = settled("40");
        TaskApi other = SERVER.account();
        assertThat(other.api().get(LEDGER + "?run_id=" + run).at("/items")).isEmpty();
        assertThat(other.api().get(LEDGER).at("/items")).hasSize(1);
    }

    @Test
    void a_cursor_or_a_number_that_is_none_is_refused() {
        for (String query : List.of("?cursor=abc", "?after_seq=-1", "?run_id=abc", "?limit=0")) {
            Reply reply = account.api().get(LEDGER + query);
            assertThat(reply.status()).as(query).isEqualTo(400);
            assertThat(reply.error()).as(query).isEqualTo("invalid_request");
        }
        for (String path : List.of(ANOMALIES, INVARIANTS)) {
            Reply reply = operator.get(path + "?cursor=abc");
            assertThat(reply.status()).as(path).isEqualTo(400);
        }
    }

    /// CB-079.
    @Test
    void a_grant_is_made_once_for_its_key() {
        has("1000", "0", "1000");
        Reply made = operator.post(GRANTS, grant("500.5", "march"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.text("/org_id")).isEqualTo(account.accountId());
        Reply again = operator.post(GRANTS, grant("500.5", "march"));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("/id")).isEqualTo(made.text("/id"));
        Reply other = operator.post(GRANTS, grant("501", "march"));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.error()).isEqualTo("idempotency_conflict");
        has("1500.5", "0", "1500.5");
        assertThat(account.api().get("/v1/audit?limit=100").text()).contains("credits.granted");
    }

    @Test
    void a_grant_that_makes_no_sense_is_refused() {
        for (String amount : List.of("0", "-1", "0.0000001", "1e13", "\"5\"")) {
            Reply reply = operator.post(GRANTS, grant(amount, "wrong"));
            assertThat(reply.status()).as(amount).isEqualTo(400);
        }
        Reply tooMuch = operator.post(GRANTS, grant("1e12", "all"));
        assertThat(tooMuch.status()).isEqualTo(400);
        Reply nobody =
                operator.post(
                        GRANTS,
                        grant("1", "k").replace(account.accountId(), UUID.randomUUID().toString()));
        assertThat(nobody.status()).isEqualTo(404);
        assertThat(nobody.error()).isEqualTo("org_not_found");
        has("1000", "0", "1000");
    }

    ///
    @Test
    void a_charge_is_given_back_once_and_the_account_is_told() {
        UUID run = settled("40");
        String charge = charge(run);
        has("960", "0", "960");
        List<Reply> replies =
                Parallel.run(8, _ -> () -> operator.post(REVERSALS, reversal(charge)));
        assertThat(replies).extracting(Reply::status).containsOnly(200, 201);
        assertThat(replies).filteredOn(each -> each.status() == 201).hasSize(1);
        assertThat(replies)
                .extracting(each -> each.text("/id"))
                .containsOnly(replies.getFirst().text("/id"));
        assertThat(replies.getFirst().text("/reverses")).isEqualTo(charge);
        has("1000", "0", "1000");
        Reply notices = account.api().get(CREDITS + "/notices");
        assertThat(notices.at("/items")).hasSize(1);
        assertThat(notices.at("/items/0/amount").decimalValue()).isEqualByComparingTo("40");
        assertThat(notices.text("/items/0/message")).contains("refunded 40 credits of run_" + run);
        assertThat(account.api().get("/v1/audit?limit=100").text()).contains("credits.reversed");
    }

    @Test
    void only_charges_are_given_back() {
        UUID run = settled("40");
        String reserve = account.api().get(LEDGER + "?run_id=" + run).text("/items/0/id");
        Reply refused = operator.post(REVERSALS, reversal(reserve));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("not_reversible");
        Reply unknown = operator.post(REVERSALS, reversal("entry_" + UUID.randomUUID()));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.error()).isEqualTo("ledger_entry_not_found");
    }

    @Test
    void the_same_idempotency_key_gives_the_same_answer_and_no_other_work() {
        String first = charge(settled("40"));
        String second = charge(settled("30"));
        Api keyed = operator.with("Idempotency-Key", UUID.randomUUID().toString());
        Reply made = keyed.post(REVERSALS, reversal(first));
        assertThat(made.status()).isEqualTo(201);
        Reply again = keyed.post(REVERSALS, reversal(first));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(made.text());
        Reply other = keyed.post(REVERSALS, reversal(second));
        assertThat(other.status()).isEqualTo(409);
        has("970", "0", "970");
    }

    /// for the operator's account only, whatever scopes another has.
    @Test
    void what_is_for_the_operator_is_for_nobody_else() {
        Api stranger = account.api();
        assertThat(stranger.post(GRANTS, grant("1", "k")).status()).isEqualTo(403);
        assertThat(stranger.post(REVERSALS, reversal(UUID.randomUUID().toString())).status())
                .isEqualTo(403);
        assertThat(stranger.get(ANOMALIES).status()).isEqualTo(403);
        assertThat(stranger.get(INVARIANTS).status()).isEqualTo(403);
        assertThat(SERVER.anonymous().get(CREDITS).status()).isEqualTo(401);
    }

    ///
    @Test
    void the_invariants_hold_and_a_broken_one_is_named() {
        settled("40");
        assertThat(operator.get(INVARIANTS).at("/violations")).isEmpty();
        SERVER.database()
                .execute(
                        "update credit_balance set balance = balance + 1 where account_id = ?",
                        UUID.fromString(account.accountId()));
        Reply broken = operator.get(INVARIANTS);
        assertThat(broken.at("/complete").asBoolean()).isTrue();
        assertThat(broken.at("/violations")).hasSize(1);
        assertThat(broken.number("/violations/0/invariant")).isEqualTo(1);
        assertThat(broken.text("/violations/0/ids/0")).isEqualTo(account.accountId());
        SERVER.database()
                .execute(
                        "update credit_balance set balance = balance - 1 where account_id = ?",
                        UUID.fromString(account.accountId()));
    }
}
