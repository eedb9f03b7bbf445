package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

class IdsTest {
    private static final long NOW = 1_790_000_000_000L;

    private final Ids ids = new Ids(new SecureRandom());

    @Test
    void a_million_ids_of_one_moment_are_distinct_and_in_order_of_creation() {
        var seen = new HashSet<UUID>();
        UUID before = new UUID(0, 0);
        for (int i = 0; i < 1_000_000; i++) {
            UUID id = ids.next(NOW);
            assertThat(seen.add(id)).isTrue();
            // As PostgreSQL compares: byte by byte, unsigned.
            if (Long.compareUnsigned(before.getMostSignificantBits(), id.getMostSignificantBits())
                            > 0
                    || (before.getMostSignificantBits() == id.getMostSignificantBits()
                            && Long.compareUnsigned(
                                            before.getLeastSignificantBits(),
                                            id.getLeastSignificantBits())
                                    >= 0)) {
                throw new AssertionError(before + " is not before " + id);
            }
            before = id;
        }
    }

    @Test
    void ids_carry_the_time_version_7_and_the_right_variant() {
        for (int i = 0; i < 10_000; i++) {
            UUID id = ids.next(NOW + i);
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
            assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW + i);
        }
    }

    @Test
    void a_later_moment_sorts_after_every_id_of_an_earlier_one() {
        UUID last = ids.next(NOW);
        for (int i = 0; i < 1000; i++) {
            last = ids.next(NOW);
        }
        assertThat(new Ids(new SecureRandom()).next(NOW + 1).toString())
                .isGreaterThan(last.toString());
    }

    @Test
    void ids_made_by_many_threads_are_distinct() throws Exception {
        var seen = ConcurrentHashMap.<UUID>newKeySet();
        try (var executor = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                executor.submit(
                        () -> {
                            for (int i = 0; i < 20_000; i++) {
                                seen.add(ids.next(NOW));
                            }
                        });
            }
        }
        assertThat(seen).hasSize(160_000);
    }

    @Test
    void tokens_are_random_uuids() {
        var seen = new HashSet<UUID>();
        long ones = 0;
        for (int i = 0; i < 10_000; i++) {
            UUID token = ids.token();
            assertThat(token.version()).isEqualTo(4);
            assertThat(token.variant()).isEqualTo(2);
            assertThat(seen.add(token)).isTrue();
            ones +=
                    Long.bitCount(token.getMostSignificantBits())
                            + Long.bitCount(token.getLeastSignificantBits());
        }
        // 122 random bits, half of them set, and the two fixed ones.
        assertThat(ones / 10_000.0).isBetween(62.0, 64.0);
    }
}
