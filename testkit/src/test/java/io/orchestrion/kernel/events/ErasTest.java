package io.orchestrion.kernel.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkFixture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;

/// Positions go on above all that was read where the data goes back.
class ErasTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// The template was made in another database, which counts as another cluster.
    @BeforeEach
    void migrate() throws Exception {
        try (Kernel node = fixture.test.anotherNode(options -> options)) {
            node.migrate();
        }
    }

    private List<FeedEvent> after(EventCursor cursor) {
        return fixture.kernel()
                .events()
                .read(new EventQuery(fixture.account, List.of("tasks"), null, null), cursor, 100)
                .items();
    }

    private long eras() {
        return fixture.database().value("select count(*) from event_era");
    }

    @Test
    void a_start_on_the_same_cluster_changes_nothing() throws Exception {
        long before = eras();
        migrate();
        migrate();
        assertThat(eras()).isEqualTo(before);
    }

    @Test
    void a_dump_restored_into_another_cluster_goes_on_above_all_that_was_read() throws Exception {
        fixture.submit(Profiles.TASKS);
        EventCursor read = after(EventCursor.START).getLast().cursor();
        fixture.database().execute("update event_era set cluster = 'the one before'");
        long before = eras();
        migrate();
        assertThat(eras()).isEqualTo(before + 1);
        // Somebody has read more than the dump holds.
        var further = new EventCursor(read.position() + 1_000_000, UUID.randomUUID(), 1);
        UUID next = fixture.submit(Profiles.TASKS);
        for (EventCursor cursor : List.of(read, further)) {
            assertThat(after(cursor)).extracting(FeedEvent::workId).containsExactly(next);
        }
        assertThat(after(EventCursor.START)).hasSize(2);
        // An account whose log begins only now is read from old places as well.
        UUID late = fixture.test.account();
        EventFeed feed = fixture.kernel().events();
        assertThat(feed.end(late).position()).isGreaterThan(further.position());
    }
}
