package io.orchestrion.jobs.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/// Who is known to run jobs.
class RunnersTest {
    private final TestKernel test = new TestKernel();
    private final Runners runners = new Runners(test.kernel().database());
    private final UUID first = UUID.randomUUID();
    private final UUID second = UUID.randomUUID();

    @BeforeEach
    void migrate() throws Exception {
        test.kernel().migrate();
    }

    @AfterEach
    void close() {
        test.close();
    }

    /// J-368: the number of available workers.
    @Test
    void those_who_were_heard_of_lately_are_there() throws SQLException {
        assertThat(runners.available()).isEqualTo(Availability.NONE);
        runners.enter(first, "first", 4);
        runners.enter(second, "second", 1);
        runners.beat(first, "first", 4, 3);
        assertThat(runners.availableNow()).isEqualTo(new Availability(2, 5, 3));
        assertThat(runners.present()).extracting(RunnerEntry::name).contains("first", "second");
        test.clock().advance(Duration.ofSeconds(10));
        runners.beat(second, "second", 1, 1);
        test.clock().advance(Duration.ofSeconds(6));
        // The first was killed.
        assertThat(runners.availableNow()).isEqualTo(new Availability(1, 1, 1));
        runners.leave(second);
        assertThat(runners.available()).isEqualTo(Availability.NONE);
    }

    @Test
    void one_that_was_silent_and_lives_is_there_again_and_the_long_gone_are_forgotten() {
        runners.enter(first, "first", 4);
        test.clock().advance(Duration.ofHours(2));
        runners.enter(second, "second", 1);
        assertThat(test.database().<Long>value("select count(*) from runner")).isEqualTo(1);
        runners.beat(first, "first", 4, 0);
        assertThat(runners.availableNow().runners()).isEqualTo(2);
    }
}
