package io.orchestrion.server.runs.artifacts;

import static io.orchestrion.server.runs.artifacts.ArtifactFixture.ofRun;
import static io.orchestrion.server.runs.artifacts.ArtifactFixture.plain;
import static io.orchestrion.server.runs.artifacts.ArtifactFixture.refused;
import static io.orchestrion.server.runs.artifacts.ArtifactFixture.stored;
import static io.orchestrion.server.runs.artifacts.ArtifactFixture.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.server.TaskApi;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;

/// Artifacts of runs, up and down, and how long they stay.
@Timeout(180)
class ArtifactsTest {
    private static final String HELLO_SHA256 =
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

    @TempDir static Path folder;
    private static ArtifactFixture fixture;

    @BeforeAll
    static void start() {
        fixture = new ArtifactFixture(folder, ArtifactOptions.DEFAULT);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    private final TaskApi account = fixture.server.account();
    private final Api api = account.api();
    private final UUID run = fixture.run(account);

    ///
    @Test
    void an_artifact_is_uploaded_shown_listed_and_downloaded() {
        Reply made = upload(account, run, "report%20%C3%A9.txt", "hello");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.text("/name")).isEqualTo("report é.txt");
        assertThat(made.text("/run_id")).isEqualTo("run_" + run);
        assertThat(made.text("/content_type")).isEqualTo("text/plain");
        assertThat(made.number("/size")).isEqualTo(5);
        assertThat(made.text("/checksum")).isEqualTo(HELLO_SHA256);
        assertThat(made.text("/state")).isEqualTo("ready");
        assertThat(made.text("/s3_key")).startsWith(account.accountId() + "/");
        assertThat(made.at("/expires_at").isNull()).isTrue();
        assertThat(made.at("/deleted_at").isNull()).isTrue();
        String path = "/api/v1/artifacts/" + made.text("/id");
        assertThat(api.get(path).at("/s3_key")).isEqualTo(made.at("/s3_key"));
        Reply list = api.get(ofRun(run));
        assertThat(list.at("/items").size()).isEqualTo(1);
        assertThat(list.text("/items/0/id")).isEqualTo(made.text("/id"));
        Reply content = api.get(path + "/content");
        assertThat(content.status()).isEqualTo(200);
        assertThat(content.text()).isEqualTo("hello");
        assertThat(content.header("Content-Type")).isEqualTo("text/plain");
        assertThat(content.header("Content-Length")).isEqualTo("5");
        assertThat(content.header("ETag")).isEqualTo("\"" + HELLO_SHA256 + "\"");
        assertThat(content.header("Content-Disposition"))
                .isEqualTo(
                        "attachment; filename=\"report _.txt\";"
                                + " filename*=UTF-8''report%20%C3%A9.txt");
        assertThat(content.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(content.header("Content-Security-Policy")).contains("sandbox");
        assertThat(content.header("Cache-Control")).contains("no-store");
        Reply head = api.send("HEAD", path + "/content", null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).isEqualTo("5");
        assertThat(head.text()).isEmpty();
    }

    @Test
    void pages_of_a_list_are_newest_first() {
        for (int i = 0; i < 3; i++) {
            stored(account, run, "a" + i, "x");
        }
        Reply first = api.get(ofRun(run) + "?limit=2");
        assertThat(first.text("/items/0/name")).isEqualTo("a2");
        Reply second = api.get(ofRun(run) + "?limit=2&cursor=" + first.text("/next_cursor"));
        assertThat(second.at("/items").size()).isEqualTo(1);
        assertThat(second.text("/items/0/name")).isEqualTo("a0");
        assertThat(second.at("/next_cursor").isNull()).isTrue();
        refused(api.get(ofRun(run) + "?cursor=x"), 400, "invalid_request");
    }

    /// also for a name that only looks the same in another form of Unicode.
    @Test
    void a_second_artifact_of_a_name_is_refused() {
        String first = stored(account, run, "caf%C3%A9", "one");
        Reply again = upload(account, run, "cafe%CC%81", "two");
        refused(again, 409, "artifact_exists");
        assertThat(first).endsWith(again.text("/artifact_id"));
        assertThat(api.get(first + "/content").text()).isEqualTo("one");
        assertThat(upload(account, fixture.run(account), "caf%C3%A9", "two").status())
                .isEqualTo(201);
    }

    @Test
    void content_is_checked_by_the_sha256_that_was_said() {
        String path = ofRun(run) + "?name=checked&sha256=";
        Reply other = plain(account).post(path + HELLO_SHA256, "hell0");
        refused(other, 422, "checksum_mismatch");
        assertThat(api.get(ofRun(run)).at("/items").size()).isZero();
        refused(plain(account).post(path + "abc", "hello"), 400, "invalid_request");
        assertThat(
                        plain(account)
                                .post(path + HELLO_SHA256.toUpperCase(Locale.ROOT), "hello")
                                .status())
                .isEqualTo(201);
    }

    @Test
    void an_empty_artifact_is_one() {
        Reply made = plain(account).post(ofRun(run) + "?name=empty");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String path = "/api/v1/artifacts/" + made.text("/id") + "/content";
        assertThat(api.get(path).text()).isEmpty();
        assertThat(api.get(path).status()).isEqualTo(200);
    }

    @Test
    void a_step_of_the_run_may_be_named_and_no_other() {
        String unknown = "&step_id=step_" + UUID.randomUUID();
        refused(plain(account).post(ofRun(run) + "?name=a" + unknown, "x"), 404, "step_not_found");
        refused(plain(account).post(ofRun(run) + "?name=a&step_id=1", "x"), 400, "invalid_request");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bytes=0-0     | 206 | 0         | bytes 0-0/10
                    bytes=2-4     | 206 | 234       | bytes 2-4/10
                    bytes=7-      | 206 | 789       | bytes 7-9/10
                    bytes=-3      | 206 | 789       | bytes 7-9/10
                    bytes=-99     | 206 | 0123456789| bytes 0-9/10
                    bytes=8-99    | 206 | 89        | bytes 8-9/10
                    bytes=0-1,4-5 | 200 | 0123456789|
                    bytes=4-2     | 200 | 0123456789|
                    bytes=-       | 200 | 0123456789|
                    lines=1-2     | 200 | 0123456789|
                    bytes=10-     | 416 |           | bytes */10
                    bytes=-0      | 416 |           | bytes */10
                    """)
    void one_range_is_answered_as_asked(
            String range, int status, String content, String contentRange) {
        String path = stored(account, run, "ranged", "0123456789") + "/content";
        Reply reply = api.with("Range", range).get(path);
        assertThat(reply.status()).isEqualTo(status);
        if (status == 416) {
            refused(reply, 416, "range_not_satisfiable");
        } else {
            assertThat(reply.text()).isEqualTo(content);
        }
        assertThat(reply.header("Content-Range"))
                .isEqualTo(contentRange == null ? "" : contentRange);
    }

    @Test
    void a_range_of_other_content_is_answered_with_the_whole() {
        String path = stored(account, run, "ranged", "0123456789") + "/content";
        String etag = api.get(path).header("ETag");
        Api part = api.with("Range", "bytes=0-1");
        assertThat(part.with("If-Range", etag).get(path).text()).isEqualTo("01");
        assertThat(part.with("If-Range", "\"x\"").get(path).text()).isEqualTo("0123456789");
    }

    /// a repeated upload is answered as the first was, and its body is not
    /// asked for.
    @Test
    void an_upload_is_repeated_with_its_key() {
        Api keyed = plain(account).with("Idempotency-Key", "idem_1");
        Reply first = keyed.post(ofRun(run) + "?name=once", "hello");
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        Reply again = keyed.post(ofRun(run) + "?name=once", "hello");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        refused(
                keyed.post(ofRun(run) + "?name=once", "longer than that"),
                409,
                "idempotency_conflict");
        refused(keyed.post(ofRun(run) + "?name=other", "hello"), 409, "idempotency_conflict");
        assertThat(fixture.count(account, run, "ready")).isEqualTo(1);
        // What was refused is not remembered.
        Api other = plain(account).with("Idempotency-Key", "idem_2");
        refused(other.post(ofRun(run) + "?name=once", "hello"), 409, "artifact_exists");
        UUID second = fixture.run(account);
        assertThat(other.post(ofRun(second) + "?name=once", "hello").status()).isEqualTo(201);
    }

    @Test
    void an_artifact_of_another_account_is_no_artifact() {
        String path = stored(account, run, "mine", "x");
        TaskApi other = fixture.server.account();
        refused(other.api().get(path), 404, "artifact_not_found");
        refused(other.api().get(path + "/content"), 404, "artifact_not_found");
        refused(other.api().post(path + "/url"), 404, "artifact_not_found");
        refused(other.api().get(ofRun(run)), 404, "run_not_found");
        refused(upload(other, run, "theirs", "x"), 404, "run_not_found");
        refused(api.get("/api/v1/artifacts/none"), 404, "artifact_not_found");
        refused(fixture.server.anonymous().get(path + "/content"), 401, "missing_api_key");
    }

    ///
    @Test
    void a_run_that_is_over_takes_none() {
        fixture.cancel(account, run);
        refused(upload(account, run, "late", "x"), 409, "invalid_transition");
    }

    /// the bytes go, the record stays.
    @Test
    void thirty_days_after_the_end_the_bytes_are_gone() {
        String path = stored(account, run, "kept", "hello");
        assertThat(api.get(path).at("/expires_at").isNull()).isTrue();
        fixture.cancel(account, run);
        assertThat(api.get(path).at("/expires_at").isNull()).isFalse();
        long files = fixture.files();
        fixture.server.clock().advance(Duration.ofDays(30).minusMinutes(30));
        Reply near = api.get(path + "/content");
        assertThat(near.text()).isEqualTo("hello");
        // It was asked for, so it has an hour more.
        fixture.server.clock().advance(Duration.ofMinutes(50));
        assertThat(api.get(path + "/content").status()).isEqualTo(200);
        fixture.server.clock().advance(Duration.ofMinutes(61));
        refused(api.get(path + "/content"), 410, "artifact_expired");
        refused(api.post(path + "/url"), 410, "artifact_expired");
        fixture.sweep();
        assertThat(fixture.files()).isEqualTo(files - 1);
        refused(api.get(path + "/content"), 410, "artifact_expired");
        Reply record = api.get(path);
        assertThat(record.status()).isEqualTo(200);
        assertThat(record.text("/state")).isEqualTo("deleted");
        assertThat(record.at("/deleted_at").isNull()).isFalse();
        assertThat(fixture.count(account, run, "deleted")).isEqualTo(1);
    }

    @Test
    void the_artifacts_of_a_run_that_is_taken_away_go_with_it() {
        String path = stored(account, run, "gone", "hello");
        long files = fixture.files();
        fixture.delete(account, run);
        refused(api.get(path + "/content"), 410, "artifact_expired");
        refused(upload(account, run, "more", "x"), 404, "run_not_found");
        refused(api.get(ofRun(run)), 404, "run_not_found");
        fixture.sweep();
        assertThat(fixture.files()).isEqualTo(files - 1);
    }
}
