package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A database clock that was an hour ahead and is put right. The repair is the one that
/// docs/guides/operations.md tells operators.
class ClockBackTest extends QueueFixture {
    private static final Duration AHEAD = Duration.ofHours(1);

    private static String repair() throws IOException {
        String page =
                Files.readString(
                        Path.of(System.getProperty("orchestrion.root", ".."))
                                .resolve("docs/guides/operations.md"));
        String section = page.substring(page.indexOf("## A clock that went back"));
        int begin = section.indexOf("```sql") + "```sql".length();
        return section.substring(begin, section.indexOf("```", begin));
    }

    @Test
    void waiting_work_waits_the_hour_until_the_published_repair_is_made() throws IOException {
        QueueApi.Worker worker = queue.worker("executor-01");
        String failed = queue.enqueue("t");
        String lost = queue.enqueue("t");
        advance(AHEAD);
        assertThat(worker.claimed()).isEqualTo(failed);
        worker.fail(failed, true);
        assertThat(worker.claimed()).isEqualTo(lost);
        advance(AHEAD.negated());
        advance(Duration.ofMinutes(30));
        server.sweepLeases();
        assertThat(worker.claimed()).as("half an hour later nothing has become due").isEmpty();
        advance(Duration.ofMinutes(-30));
        server.database().execute(repair());
        advance(Duration.ofMinutes(2));
        server.sweepLeases();
        assertThat(queue.status(lost)).isEqualTo("queued");
        assertThat(worker.claimed()).isEqualTo(failed);
        advance(Duration.ofMinutes(2).negated());
    }
}
