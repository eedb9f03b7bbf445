package io.orchestrion.kernel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.idempotency.KeyedVerbs.Made;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine's own verb, done once for its key.
class KeyedVerbsTest {
    private static final Duration LIFE = Duration.ofHours(24);

    private final TestKernel test = new TestKernel();
    private final UUID account = test.account();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        test.close();
    }

    private IdempotencyKey key(String key, String request) {
        return new IdempotencyKey(
                "engine", account, "create", key, request.getBytes(), LIFE, Duration.ofMinutes(1));
    }

    private Keyed<String> create(IdempotencyKey key) {
        return test.kernel()
                .keyedVerbs()
                .once(
                        account,
                        key,
                        _ -> {
                            String name = "thing-" + runs.incrementAndGet();
                            return new Made<>(name, UUID.randomUUID(), new StoredAnswer(201, name));
                        });
    }

    @Test
    void a_repeat_is_told_what_the_first_was_told() {
        assertThat(create(key("a", "x"))).isEqualTo(new Keyed.Done<>("thing-1"));
        assertThat(create(key("a", "x")))
                .isEqualTo(new Keyed.Replayed<>(new StoredAnswer(201, "thing-1")));
        assertThat(create(key("b", "x"))).isEqualTo(new Keyed.Done<>("thing-2"));
        assertThat(runs.get()).isEqualTo(2);
    }

    @Test
    void the_key_of_another_request_is_refused() {
        create(key("a", "x"));
        assertThat(create(key("a", "y"))).isEqualTo(new Keyed.Conflict<>());
    }

    @Test
    void without_a_key_it_is_done_each_time() {
        assertThat(create(null)).isEqualTo(new Keyed.Done<>("thing-1"));
        assertThat(create(null)).isEqualTo(new Keyed.Done<>("thing-2"));
    }

    @Test
    void a_key_is_free_again_after_its_life() {
        create(key("a", "x"));
        test.clock().advance(LIFE.plusSeconds(1));
        assertThat(create(key("a", "y"))).isEqualTo(new Keyed.Done<>("thing-2"));
    }

    @Test
    void where_nothing_was_done_the_key_is_free() {
        IdempotencyKey key = key("a", "x");
        assertThat(
                        test.kernel()
                                .keyedVerbs()
                                .<String>once(account, key, _ -> Made.nothing("too many")))
                .isEqualTo(new Keyed.Done<>("too many"));
        assertThat(create(key("a", "y"))).isEqualTo(new Keyed.Done<>("thing-1"));
    }

    @Test
    void a_verb_that_fails_leaves_no_key_behind() {
        IdempotencyKey key = key("a", "x");
        assertThatThrownBy(
                        () ->
                                test.kernel()
                                        .keyedVerbs()
                                        .once(
                                                account,
                                                key,
                                                _ -> {
                                                    throw new IllegalStateException("no");
                                                }))
                .hasStackTraceContaining("no");
        assertThat(create(key)).isEqualTo(new Keyed.Done<>("thing-1"));
    }

    @Test
    void a_key_goes_with_what_it_was_used_for() {
        UUID subject = UUID.randomUUID();
        IdempotencyKey key = key("a", "x");
        test.kernel()
                .keyedVerbs()
                .once(account, key, _ -> new Made<>("x", subject, new StoredAnswer(201, "x")));
        test.kernel()
                .database()
                .transaction(
                        tx -> {
                            new Idempotency().release(tx, account, List.of(subject));
                            return null;
                        });
        assertThat(create(key)).isEqualTo(new Keyed.Done<>("thing-1"));
    }

    @Test
    void who_is_still_at_it_is_not_waited_for_for_ever() throws Exception {
        create(key("a", "x"));
        test.clock().advance(LIFE.plusSeconds(1));
        try (Connection other = test.database().connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select from idempotency for update");
            assertThat(create(key("a", "x"))).isEqualTo(new Keyed.InFlight<>());
        }
    }

    @Test
    void a_lock_of_the_verb_itself_is_not_taken_for_the_keys() throws Exception {
        test.database().execute("create table thing (n int)");
        try (Connection other = test.database().connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table thing");
            assertThatThrownBy(
                            () ->
                                    test.kernel()
                                            .keyedVerbs()
                                            .once(
                                                    account,
                                                    key("a", "x"),
                                                    tx -> {
                                                        try (var look =
                                                                tx.connection().createStatement()) {
                                                            look.execute("table thing");
                                                        }
                                                        return Made.nothing("");
                                                    }))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.LOCKED));
        }
    }
}
