package io.orchestrion.kernel.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.AuditEntry;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestKernel;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Worker tokens as they are made, shown, changed and rotated, on one node and on several.
@Timeout(180)
class WorkerTokensTest {
    private static TestKernel test;

    @BeforeAll
    static void start() {
        test = new TestKernel();
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    private final Kernel node = test.kernel();
    private final Registration first = node.identity().register("test");
    private final Principal owner = node.identity().authenticate(first.key().reveal());

    private static NewWorkerToken wanted(NewKey.@Nullable Expiry expiry) {
        return new NewWorkerToken("executor-01", "main one", null, null, null, expiry);
    }

    private TokenOutcome.Made made() {
        return (TokenOutcome.Made) node.workerTokens().create(owner, wanted(null));
    }

    private TokenOutcome.Made madeFor(Duration life) {
        return (TokenOutcome.Made)
                node.workerTokens().create(owner, wanted(new NewKey.Expiry.After(life.toMillis())));
    }

    private static @Nullable WorkerToken shown(Kernel on, WorkerSecret secret) {
        return on.workerTokens().authenticate(secret.reveal(), "192.0.2.7");
    }

    private WorkerToken token(UUID id) {
        return ((TokenOutcome.Done) node.workerTokens().get(first.accountId(), id)).token();
    }

    ///
    @Test
    void a_secret_has_256_random_bits_and_no_two_are_the_same() {
        var seen = new HashSet<String>();
        for (int i = 0; i < 50; i++) {
            String secret = made().secret().reveal();
            assertThat(secret).matches("mmwt_[0-9a-f]{64}");
            assertThat(seen.add(secret)).isTrue();
        }
    }

    /// absent and empty lists stay apart, and the order of a list is kept.
    @Test
    void a_secret_opens_its_token_with_the_lists_as_they_were_given() {
        Set<String> repositories = new LinkedHashSet<>(List.of("Zeta/One", "alpha/*"));
        var made =
                (TokenOutcome.Made)
                        node.workerTokens()
                                .create(
                                        owner,
                                        new NewWorkerToken(
                                                "executor-02",
                                                "",
                                                repositories,
                                                Set.of(),
                                                null,
                                                null));
        WorkerToken found = shown(node, made.secret());
        assertThat(found.account()).isEqualTo(first.accountId());
        assertThat(found.workerId()).isEqualTo("executor-02");
        assertThat(found.repositories()).containsExactly("Zeta/One", "alpha/*");
        assertThat(found.kinds()).isNotNull().isEmpty();
        assertThat(found.capabilities()).isNull();
    }

    ///
    @Test
    void unknown_and_malformed_secrets_open_nothing() {
        String good = made().secret().reveal();
        for (String bad :
                List.of(
                        "",
                        "mmwt_",
                        good.substring(0, good.length() - 1),
                        good + "0",
                        good.toUpperCase(Locale.ROOT),
                        " " + good,
                        "mmwt_" + "0".repeat(64),
                        first.key().reveal())) {
            assertThat(node.workerTokens().authenticate(bad, "192.0.2.7")).as(bad).isNull();
        }
    }

    /// L-021: nothing is believed for a while, here or elsewhere.
    @Test
    void what_is_changed_holds_from_then_on_at_every_node() {
        try (Kernel other =
                test.anotherNode(
                        options ->
                                options.withPace(
                                        options.sweepEvery(), Duration.ofSeconds(60), false))) {
            TokenOutcome.Made made = made();
            UUID id = made.token().id();
            assertThat(shown(other, made.secret()).kinds()).isNull();
            node.workerTokens()
                    .change(
                            owner,
                            id,
                            new TokenChange(
                                    null, null, new TokenChange.To<>(Set.of("build")), null, null));
            assertThat(shown(other, made.secret()).kinds()).containsExactly("build");
            node.workerTokens().deactivate(owner, id);
            assertThat(shown(other, made.secret())).isNull();
            assertThat(shown(node, made.secret())).isNull();
            node.workerTokens().reactivate(owner, id);
            assertThat(shown(other, made.secret())).isNotNull();
            node.workerTokens()
                    .change(
                            owner,
                            id,
                            new TokenChange(null, null, new TokenChange.To<>(null), null, null));
            assertThat(shown(other, made.secret()).kinds()).isNull();
        }
    }

    /// L-021.
    @Test
    void after_a_rotation_both_secrets_work_until_the_overlap_ends() {
        TokenOutcome.Made old = made();
        UUID id = old.token().id();
        var rotated =
                (TokenOutcome.Made) node.workerTokens().rotate(owner, id, Duration.ofMinutes(10));
        assertThat(shown(node, old.secret()).id()).isEqualTo(id);
        assertThat(shown(node, rotated.secret()).id()).isEqualTo(id);
        assertThat(token(id).formerEndsMs()).isEqualTo(rotated.formerEndsMs());

        test.clock().advance(Duration.ofMinutes(9));
        assertThat(shown(node, old.secret())).isNotNull();
        test.clock().advance(Duration.ofMinutes(2));
        assertThat(shown(node, old.secret())).isNull();
        assertThat(shown(node, rotated.secret())).isNotNull();
        assertThat(token(id).formerEndsMs()).isNull();
    }

    /// L-021: what leaked is worth nothing at once, and neither is what it once replaced.
    @Test
    void a_rotation_without_overlap_ends_every_older_secret() {
        TokenOutcome.Made oldest = made();
        UUID id = oldest.token().id();
        var older = (TokenOutcome.Made) node.workerTokens().rotate(owner, id, Duration.ofDays(7));
        var newest = (TokenOutcome.Made) node.workerTokens().rotate(owner, id, Duration.ZERO);
        assertThat(shown(node, oldest.secret())).isNull();
        assertThat(shown(node, older.secret())).isNull();
        assertThat(shown(node, newest.secret())).isNotNull();
        assertThat(
                        test.database()
                                .<Long>value(
                                        "select count(*) from worker_token_secret where token_id ="
                                                + " ?",
                                        id))
                .isEqualTo(1);
    }

    @Test
    void the_secrets_of_a_token_that_work_at_once_are_bounded() {
        UUID id = made().token().id();
        for (int i = 1; i < WorkerTokens.SECRETS_MAX; i++) {
            assertThat(node.workerTokens().rotate(owner, id, Duration.ofHours(1)))
                    .isInstanceOf(TokenOutcome.Made.class);
        }
        assertThat(node.workerTokens().rotate(owner, id, Duration.ofHours(1)))
                .isInstanceOf(TokenOutcome.TooManySecrets.class);
        assertThat(node.workerTokens().rotate(owner, id, Duration.ZERO))
                .isInstanceOf(TokenOutcome.Made.class);
        assertThat(node.workerTokens().rotate(owner, id, Duration.ofHours(1)))
                .isInstanceOf(TokenOutcome.Made.class);
    }

    /// L-021.
    @Test
    void parallel_rotations_leave_one_secret_without_an_end() {
        UUID id = made().token().id();
        List<TokenOutcome> outcomes =
                Parallel.run(
                        4, _ -> () -> node.workerTokens().rotate(owner, id, Duration.ofHours(1)));
        assertThat(outcomes).hasOnlyElementsOfType(TokenOutcome.Made.class);
        assertThat(outcomes)
                .allSatisfy(
                        each ->
                                assertThat(shown(node, ((TokenOutcome.Made) each).secret()))
                                        .isNotNull());
        assertThat(
                        test.database()
                                .<Long>value(
                                        "select count(*) from worker_token_secret where token_id ="
                                                + " ? and ends_ms is null",
                                        id))
                .isEqualTo(1);
    }

    /// L-021.
    @Test
    void an_expired_token_opens_nothing_and_is_not_rotated_until_its_end_is_moved() {
        TokenOutcome.Made made = madeFor(Duration.ofHours(1));
        UUID id = made.token().id();
        test.clock().advance(Duration.ofMinutes(59));
        assertThat(shown(node, made.secret())).isNotNull();
        test.clock().advance(Duration.ofMinutes(2));
        assertThat(shown(node, made.secret())).isNull();
        assertThat(node.workerTokens().rotate(owner, id, Duration.ZERO))
                .isEqualTo(new TokenOutcome.NotWorking(WorkerToken.Status.EXPIRED));
        node.workerTokens()
                .change(
                        owner,
                        id,
                        new TokenChange(null, null, null, null, new TokenChange.To<>(null)));
        assertThat(shown(node, made.secret())).isNotNull();
    }

    @Test
    void an_end_in_the_past_is_refused() {
        assertThat(node.workerTokens().create(owner, wanted(new NewKey.Expiry.At(1_000_000))))
                .isInstanceOf(TokenOutcome.ExpiryRefused.class);
    }

    ///
    @Test
    void two_tokens_of_one_worker_are_independent() {
        TokenOutcome.Made one = made();
        TokenOutcome.Made two = made();
        node.workerTokens().deactivate(owner, one.token().id());
        assertThat(shown(node, one.secret())).isNull();
        assertThat(shown(node, two.secret())).isNotNull();
    }

    /// L-022.
    @Test
    void the_last_use_and_its_address_are_noted_in_passing_and_at_most_once_a_minute() {
        TokenOutcome.Made made = made();
        UUID id = made.token().id();
        shown(node, made.secret());
        assertThat(token(id).lastUsedMs()).as("no request writes it").isNull();
        noteUse();
        Long noted = token(id).lastUsedMs();
        assertThat(noted).isNotNull();
        assertThat(token(id).lastUsedFrom()).isEqualTo("192.0.2.7");

        test.clock().advance(Duration.ofSeconds(50));
        node.workerTokens().authenticate(made.secret().reveal(), "192.0.2.8");
        noteUse();
        assertThat(token(id).lastUsedMs()).isEqualTo(noted);

        test.clock().advance(Duration.ofSeconds(11));
        node.workerTokens().authenticate(made.secret().reveal(), "192.0.2.9");
        noteUse();
        assertThat(token(id).lastUsedMs()).isBetween(noted + 60_000, noted + 90_000);
        assertThat(token(id).lastUsedFrom()).isEqualTo("192.0.2.9");
    }

    private void noteUse() {
        node.sweepOnce("worker-token-use");
    }

    /// L-021.
    @Test
    void each_change_is_in_the_audit_log_once_and_what_changed_nothing_is_not() {
        UUID id = made().token().id();
        var tokens = node.workerTokens();
        tokens.change(owner, id, new TokenChange("other", null, null, null, null));
        tokens.change(owner, id, new TokenChange("other", null, null, null, null));
        tokens.deactivate(owner, id);
        tokens.deactivate(owner, id);
        tokens.reactivate(owner, id);
        tokens.reactivate(owner, id);
        tokens.rotate(owner, id, Duration.ofSeconds(90));
        List<AuditEntry> entries =
                node.audit().oldestFirst(first.accountId(), Audit.FIRST, 100).stream()
                        .filter(entry -> entry.subject().id().equals(id.toString()))
                        .toList();
        assertThat(entries)
                .extracting(AuditEntry::action)
                .containsExactly(
                        "worker_token.created",
                        "worker_token.changed",
                        "worker_token.deactivated",
                        "worker_token.reactivated",
                        "worker_token.rotated");
        assertThat(entries).allMatch(entry -> entry.detail().contains("executor-01"));
        assertThat(entries.getLast().detail()).contains("\"overlapSeconds\": 90");
    }

    /// L-021: the widest lists that are allowed have room in the log.
    @Test
    void lists_of_any_allowed_size_are_stored_and_audited() {
        Set<String> wide =
                IntStream.range(0, WorkerTokens.LIST_MAX)
                        .mapToObj(i -> "\"".repeat(190) + i)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        var made =
                (TokenOutcome.Made)
                        node.workerTokens()
                                .create(
                                        owner,
                                        new NewWorkerToken(
                                                "\"".repeat(WorkerTokens.WORKER_ID_MAX),
                                                "\"".repeat(WorkerTokens.DESCRIPTION_MAX),
                                                wide,
                                                wide,
                                                wide,
                                                null));
        assertThat(shown(node, made.secret()).repositories()).isEqualTo(wide);
    }

    @Test
    void a_key_that_was_revoked_meanwhile_makes_and_changes_nothing() {
        UUID id = made().token().id();
        var second = (MadeKey.Made) node.keys().create(owner, new NewKey("second", null, null));
        Principal gone = node.identity().authenticate(second.key().reveal());
        node.keys().revoke(owner, second.view().keyId());
        var tokens = node.workerTokens();
        assertThat(tokens.create(gone, wanted(null))).isInstanceOf(TokenOutcome.CallerGone.class);
        assertThat(tokens.rotate(gone, id, Duration.ZERO))
                .isInstanceOf(TokenOutcome.CallerGone.class);
        assertThat(tokens.deactivate(gone, id)).isInstanceOf(TokenOutcome.CallerGone.class);
    }

    @Test
    void another_accounts_token_is_not_there() {
        UUID id = made().token().id();
        Registration stranger = node.identity().register("stranger");
        Principal by = node.identity().authenticate(stranger.key().reveal());
        var tokens = node.workerTokens();
        assertThat(tokens.get(by.accountId(), id)).isInstanceOf(TokenOutcome.NotFound.class);
        assertThat(tokens.rotate(by, id, Duration.ZERO)).isInstanceOf(TokenOutcome.NotFound.class);
        assertThat(tokens.deactivate(by, id)).isInstanceOf(TokenOutcome.NotFound.class);
        assertThat(tokens.list(by.accountId(), null, null, 100)).isEmpty();
    }

    @Test
    void the_list_goes_back_page_by_page_and_by_worker() {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < 5; i++) {
            ids.add(made().token().id());
        }
        List<UUID> page =
                node.workerTokens().list(first.accountId(), null, null, 3).stream()
                        .map(each -> each.token().id())
                        .toList();
        assertThat(page).containsExactlyElementsOf(ids.subList(2, 5).reversed());
        List<UUID> rest =
                node
                        .workerTokens()
                        .list(first.accountId(), "executor-01", page.getLast(), 3)
                        .stream()
                        .map(each -> each.token().id())
                        .toList();
        assertThat(rest).containsExactlyElementsOf(ids.subList(0, 2).reversed());
        assertThat(node.workerTokens().list(first.accountId(), "executor-0", null, 3)).isEmpty();
    }

    @Test
    void parallel_makers_do_not_pass_the_bound_on_working_tokens() {
        TokenOutcome.Made one = made();
        test.database()
                .execute(
                        "insert into worker_token (account_id, token_id, worker_id, description,"
                                + " created_ms) select account_id, gen_random_uuid(), 'w', '', 0"
                                + " from worker_token, generate_series(1, "
                                + (WorkerTokens.LIVE_MAX - 4)
                                + ") where token_id = '"
                                + one.token().id()
                                + "'");
        List<TokenOutcome> outcomes =
                Parallel.run(8, _ -> () -> node.workerTokens().create(owner, wanted(null)));
        assertThat(outcomes).filteredOn(TokenOutcome.Made.class::isInstance).hasSize(3);
        assertThat(outcomes).filteredOn(TokenOutcome.TooMany.class::isInstance).hasSize(5);
        node.workerTokens().deactivate(owner, one.token().id());
        made();
        assertThat(node.workerTokens().reactivate(owner, one.token().id()))
                .as("a way around the bound")
                .isInstanceOf(TokenOutcome.TooMany.class);
    }

    /// S-23.
    @Test
    void tokens_that_ended_are_purged_after_ninety_days_and_working_ones_never() {
        UUID deactivated = made().token().id();
        UUID expiring = madeFor(Duration.ofDays(1)).token().id();
        UUID live = made().token().id();
        node.workerTokens().deactivate(owner, deactivated);
        test.clock().advance(WorkerTokenPurger.KEPT.minusHours(1));
        node.sweepOnce("worker-token-purger");
        assertThat(ids()).contains(deactivated, expiring, live);
        test.clock().advance(Duration.ofHours(2));
        node.sweepOnce("worker-token-purger");
        assertThat(ids()).contains(expiring, live).doesNotContain(deactivated);
        test.clock().advance(Duration.ofDays(1));
        node.sweepOnce("worker-token-purger");
        assertThat(ids()).containsExactly(live);
    }

    private List<UUID> ids() {
        return node.workerTokens().list(first.accountId(), null, null, 200).stream()
                .map(each -> each.token().id())
                .toList();
    }

    ///
    @Test
    void only_hashes_are_stored_and_no_two_tokens_share_one() {
        String secret = made().secret().reveal();
        assertThat(
                        test.database()
                                .rows(
                                        "select t::text || s::text as row from worker_token t join"
                                                + " worker_token_secret s using (account_id,"
                                                + " token_id)"))
                .noneMatch(row -> row.toString().contains("mmwt_"))
                .noneMatch(row -> row.toString().contains(secret.substring(5)));
        assertThat(
                        test.database()
                                .<Long>value(
                                        "select count(*) from pg_indexes where indexdef like"
                                                + " 'CREATE UNIQUE"
                                                + " INDEX%worker_token_secret%(token_hash)'"))
                .isEqualTo(1);
    }

    ///
    @Test
    void a_secret_does_not_print_itself() {
        TokenOutcome.Made made = made();
        assertThat(made.toString()).doesNotContain(made.secret().reveal().substring(5));
    }

    @Test
    void many_looks_at_once_each_get_their_own_answer() {
        List<TokenOutcome.Made> all = IntStream.range(0, 40).mapToObj(_ -> made()).toList();
        List<Boolean> right =
                Parallel.run(
                        40,
                        i ->
                                () ->
                                        shown(node, all.get(i).secret())
                                                .id()
                                                .equals(all.get(i).token().id()));
        assertThat(right).doesNotContain(false);
    }
}
