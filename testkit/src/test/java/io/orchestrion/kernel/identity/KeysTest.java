package io.orchestrion.kernel.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// Keys as they are made, believed and revoked, on one node and on several.
@Timeout(180)
class KeysTest {
    private static final Duration BELIEVED = Duration.ofSeconds(2);

    private static TestKernel test;

    @BeforeAll
    static void start() {
        test = new TestKernel(options -> options.withPace(options.sweepEvery(), BELIEVED, false));
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    private final Kernel node = test.kernel();
    private final Registration first = node.identity().register("test");
    private final Principal owner = authenticated(node, first.key());

    private static Principal authenticated(Kernel on, ApiKey key) {
        return on.identity().authenticate(key.reveal());
    }

    private MadeKey.Made made(Scope... scopes) {
        return (MadeKey.Made)
                node.keys().create(owner, new NewKey("another", Set.of(scopes), null));
    }

    private MadeKey.Made madeFor(Duration life) {
        return (MadeKey.Made)
                node.keys()
                        .create(
                                owner,
                                new NewKey(
                                        "short", null, new NewKey.Expiry.After(life.toMillis())));
    }

    private Revocation revoke(UUID keyId) {
        return node.keys().revoke(owner, keyId);
    }

    /// C-57.
    @Test
    void a_key_speaks_for_the_account_within_its_own_scopes() {
        MadeKey.Made worker = made(Scope.WORKER);
        Principal principal = authenticated(node, worker.key());
        assertThat(principal.accountId()).isEqualTo(first.accountId());
        assertThat(principal.keyId()).isEqualTo(worker.view().keyId());
        assertThat(principal.scopes()).containsExactly(Scope.WORKER);
        assertThat(owner.scopes()).isEqualTo(Scope.BUNDLES);
    }

    /// L-019.
    @Test
    void a_revoked_key_is_refused_at_once_here_and_within_two_seconds_elsewhere() {
        try (Kernel other =
                test.anotherNode(
                        options -> options.withPace(options.sweepEvery(), BELIEVED, false))) {
            MadeKey.Made key = made(Scope.WORKER);
            assertThat(authenticated(node, key.key())).isNotNull();
            assertThat(authenticated(other, key.key())).isNotNull();
            assertThat(revoke(key.view().keyId())).isInstanceOf(Revocation.Revoked.class);
            assertThat(authenticated(node, key.key())).isNull();
            assertThat(authenticated(other, key.key())).as("still believed").isNotNull();
            test.clock().advance(BELIEVED);
            assertThat(authenticated(other, key.key())).isNull();
        }
    }

    /// L-019: looked up before the revocation, remembered after it.
    @Test
    void a_look_up_that_a_revocation_overtakes_is_not_remembered() throws Exception {
        MadeKey.Made key = made(Scope.WORKER);
        var found = new CountDownLatch(1);
        var revoked = new CountDownLatch(1);
        var answer = new AtomicReference<Principal>();
        Thread slow =
                Thread.ofVirtual().unstarted(() -> answer.set(authenticated(node, key.key())));
        test.failpoints()
                .arm(
                        "pool.before-commit",
                        () -> {
                            if (Thread.currentThread().equals(slow)) {
                                found.countDown();
                                revoked.await(30, TimeUnit.SECONDS);
                            }
                        });
        try {
            slow.start();
            assertThat(found.await(30, TimeUnit.SECONDS)).isTrue();
            revoke(key.view().keyId());
        } finally {
            revoked.countDown();
            slow.join();
            test.failpoints().disarm("pool.before-commit");
        }
        assertThat(answer.get()).as("it was good when it was looked up").isNotNull();
        assertThat(authenticated(node, key.key())).isNull();
    }

    /// L-019.
    @Test
    void of_parallel_revocations_of_all_keys_the_last_one_is_refused() {
        for (int round = 0; round < 20; round++) {
            Registration account = node.identity().register("round");
            Principal by = authenticated(node, account.key());
            var second = (MadeKey.Made) node.keys().create(by, new NewKey("second", null, null));
            List<UUID> ids = List.of(account.keyId(), second.view().keyId());
            List<Revocation> outcomes =
                    Parallel.run(2, i -> () -> node.keys().revoke(by, ids.get(i)));
            assertThat(outcomes)
                    .hasOnlyElementsOfTypes(Revocation.Revoked.class, Revocation.LastKey.class)
                    .hasAtLeastOneElementOfType(Revocation.Revoked.class)
                    .hasAtLeastOneElementOfType(Revocation.LastKey.class);
        }
    }

    /// L-019: what cannot manage keys is no way back in, and neither is what has expired.
    @Test
    void only_a_live_key_that_can_manage_keys_lets_another_one_go() {
        made(Scope.PRODUCER, Scope.WORKER, Scope.OPERATOR);
        MadeKey.Made shortLived = madeFor(Duration.ofMinutes(1));
        test.clock().advance(Duration.ofMinutes(2));
        assertThat(revoke(first.keyId())).isInstanceOf(Revocation.LastKey.class);
        assertThat(authenticated(node, first.key())).isNotNull();
        assertThat(revoke(shortLived.view().keyId())).isInstanceOf(Revocation.Revoked.class);
        made(Scope.ADMIN);
        assertThat(revoke(first.keyId())).isInstanceOf(Revocation.Revoked.class);
    }

    /// L-019.
    @Test
    void parallel_makers_do_not_pass_the_bound_on_live_keys() {
        for (int i = 1; i < Keys.LIVE_MAX - 3; i++) {
            made(Scope.WORKER);
        }
        List<MadeKey> outcomes =
                Parallel.run(
                        12, _ -> () -> node.keys().create(owner, new NewKey("more", null, null)));
        assertThat(outcomes).filteredOn(MadeKey.Made.class::isInstance).hasSize(3);
        assertThat(outcomes).filteredOn(MadeKey.TooMany.class::isInstance).hasSize(9);
        List<KeyView> all = node.keys().list(first.accountId(), null, 200);
        assertThat(all).hasSize(Keys.LIVE_MAX);
        revoke(all.getFirst().keyId());
        assertThat(node.keys().create(owner, new NewKey("again", null, null)))
                .isInstanceOf(MadeKey.Made.class);
    }

    /// L-019: a list that tells which keys nobody uses.
    @Test
    void the_last_use_is_noted_in_passing_and_at_most_once_a_minute() {
        MadeKey.Made key = made(Scope.WORKER);
        authenticated(node, key.key());
        assertThat(lastUsed(key)).as("no request writes it").isNull();
        noteUse();
        Long noted = lastUsed(key);
        assertThat(noted).isNotNull();

        test.clock().advance(Duration.ofSeconds(50));
        authenticated(node, key.key());
        noteUse();
        assertThat(lastUsed(key)).isEqualTo(noted);

        test.clock().advance(Duration.ofSeconds(11));
        authenticated(node, key.key());
        noteUse();
        assertThat(lastUsed(key)).isBetween(noted + 60_000, noted + 90_000);
    }

    @Test
    void a_use_that_could_not_be_written_is_written_later() {
        MadeKey.Made key = made(Scope.WORKER);
        authenticated(node, key.key());
        test.failpoints()
                .arm(
                        "pool.before-commit",
                        () -> {
                            throw new IllegalStateException("broken on purpose");
                        });
        try {
            noteUse();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("broken on purpose");
        } finally {
            test.failpoints().disarm("pool.before-commit");
        }
        assertThat(lastUsed(key)).isNull();
        noteUse();
        assertThat(lastUsed(key)).isNotNull();
    }

    private void noteUse() {
        node.sweepOnce("key-use");
    }

    private Long lastUsed(MadeKey.Made key) {
        return node.keys().get(first.accountId(), key.view().keyId()).lastUsedMs();
    }

    /// S-23.
    @Test
    void revoked_and_expired_keys_are_purged_after_ninety_days_and_live_ones_never() {
        MadeKey.Made revoked = made(Scope.WORKER);
        MadeKey.Made expiring = madeFor(Duration.ofDays(1));
        MadeKey.Made live = made(Scope.WORKER);
        revoke(revoked.view().keyId());

        test.clock().advance(KeyPurger.KEPT.minusHours(1));
        purge();
        assertThat(ids()).contains(id(revoked), id(expiring), id(live));

        test.clock().advance(Duration.ofHours(2));
        purge();
        assertThat(ids()).contains(id(expiring), id(live)).doesNotContain(id(revoked));

        test.clock().advance(Duration.ofDays(1));
        purge();
        assertThat(ids()).containsExactlyInAnyOrder(first.keyId(), id(live));
    }

    /// S-23, J-337: of an account that nobody can open any more, what was revoked goes all the
    /// same.
    @Test
    void the_last_keys_that_expired_are_kept_and_those_revoked_are_not() {
        MadeKey.Made shortLived = madeFor(Duration.ofDays(1));
        assertThat(revoke(first.keyId())).isInstanceOf(Revocation.Revoked.class);
        test.clock().advance(KeyPurger.KEPT.plusDays(2));
        purge();
        assertThat(ids()).containsExactly(id(shortLived));
    }

    private void purge() {
        node.sweepOnce("key-purger");
    }

    private List<UUID> ids() {
        return node.keys().list(first.accountId(), null, 200).stream().map(KeyView::keyId).toList();
    }

    private static UUID id(MadeKey.Made key) {
        return key.view().keyId();
    }
}
