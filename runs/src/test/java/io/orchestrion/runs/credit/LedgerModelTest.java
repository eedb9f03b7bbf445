package io.orchestrion.runs.credit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/// Random acts on the ledger beside a small model of what they must do.
class LedgerModelTest {
    private static final int ACTS = 400;

    private final CreditFixture fixture = new CreditFixture();
    private final long seed = Long.getLong("orchestrion.model.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Entry> charges = new ArrayList<>();
    private final List<UUID> reversed = new ArrayList<>();
    private BigDecimal balance = CreditFixture.INITIAL;
    private BigDecimal reserved = BigDecimal.ZERO;
    private int entries = 1;

    /// An attempt of a run as the model has it.
    private static final class Attempt {
        final UUID run;
        final int number;
        BigDecimal held;
        int charges;

        Attempt(UUID run, int number, BigDecimal held) {
            this.run = run;
            this.number = number;
            this.held = held;
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private BigDecimal amount(int most) {
        return BigDecimal.valueOf(1 + random.nextInt(most * 1000), 3).setScale(Prices.SCALE);
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private void reserve() {
        boolean again = !attempts.isEmpty() && random.nextInt(4) == 0;
        Attempt of =
                again
                        ? any(attempts)
                        : new Attempt(
                                attempts.isEmpty() || random.nextBoolean()
                                        ? UUID.randomUUID()
                                        : any(attempts).run,
                                attempts.size() + 1,
                                amount(300));
        boolean paid = balance.subtract(reserved).compareTo(of.held) >= 0;
        BigDecimal asked = again ? amount(300) : of.held;
        Reservation came =
                fixture.in(
                        tx ->
                                fixture.ledger.reserve(
                                        tx, fixture.account, of.run, of.number, asked));
        if (again) {
            assertThat(came).isInstanceOf(Reservation.Reserved.class);
        } else if (paid) {
            assertThat(came).isInstanceOf(Reservation.Reserved.class);
            reserved = reserved.add(of.held);
            entries++;
            attempts.add(of);
        } else {
            assertThat(came)
                    .isEqualTo(new Reservation.Insufficient(asked, balance.subtract(reserved)));
        }
    }

    private void charge(Attempt of) {
        boolean again = of.charges > 0 && random.nextInt(3) == 0;
        int number = again ? 1 + random.nextInt(of.charges) : of.charges + 1;
        BigDecimal asked = amount(100);
        Charge came =
                fixture.in(
                        tx ->
                                fixture.ledger.charge(
                                        tx,
                                        fixture.account,
                                        of.run,
                                        of.number,
                                        asked,
                                        of.number + ":" + number));
        if (again) {
            assertThat(came).isInstanceOf(Charge.Charged.class);
        } else if (of.held.compareTo(asked) < 0) {
            assertThat(came).isEqualTo(new Charge.Beyond(of.held));
        } else {
            charges.add(((Charge.Charged) came).entry());
            of.charges++;
            of.held = of.held.subtract(asked);
            balance = balance.subtract(asked);
            reserved = reserved.subtract(asked);
            entries++;
        }
    }

    private void settle(Attempt of) {
        BigDecimal spent =
                of.held
                        .multiply(BigDecimal.valueOf(random.nextInt(5), 0))
                        .movePointLeft(1)
                        .setScale(Prices.SCALE, RoundingMode.DOWN)
                        .min(of.held);
        BigDecimal rest = of.held.subtract(spent);
        fixture.in(
                tx -> {
                    fixture.ledger.settle(tx, fixture.account, of.run, of.number, spent, rest);
                    return true;
                });
        balance = balance.subtract(spent);
        reserved = reserved.subtract(of.held);
        entries += spent.signum() + rest.signum();
        of.held = BigDecimal.ZERO.setScale(Prices.SCALE);
    }

    private void reverse(Entry charge) {
        assertThat(fixture.reverse(charge.id())).isInstanceOf(Reversal.Reversed.class);
        if (!reversed.contains(charge.id())) {
            reversed.add(charge.id());
            balance = balance.add(charge.amount());
            entries++;
        }
    }

    private void act() {
        switch (random.nextInt(6)) {
            case 0, 1 -> reserve();
            case 2 -> {
                if (!attempts.isEmpty()) {
                    charge(any(attempts));
                }
            }
            case 3 -> {
                if (!attempts.isEmpty()) {
                    settle(any(attempts));
                }
            }
            case 4 -> {
                if (!charges.isEmpty()) {
                    reverse(any(charges));
                }
            }
            default -> fixture.test.clock().advance(Duration.ofMillis(random.nextInt(200) - 100));
        }
    }

    /// Clocks that go back are among it.
    @Test
    void the_ledger_does_what_the_model_does() {
        fixture.balance();
        for (int i = 0; i < ACTS; i++) {
            act();
            assertThat(fixture.balance())
                    .as("after act %d with -Dorchestrion.model.seed=%d", i, seed)
                    .isEqualTo(
                            new Balance(
                                    balance.setScale(Prices.SCALE),
                                    reserved.setScale(Prices.SCALE)));
        }
        assertThat(fixture.entries()).as("seed %d", seed).hasSize(entries);
        fixture.isConserved();
    }
}
