package io.orchestrion.server.runs.artifacts;

import static io.orchestrion.server.runs.artifacts.ArtifactFixture.ofRun;
import static io.orchestrion.server.runs.artifacts.ArtifactFixture.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.runs.artifacts.RawHttp.Said;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
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

/// Attacks on the endpoints of artifacts. Each is refused in the form of the door, nothing of it is
/// kept, and the server does not fail.
@Timeout(180)
class ArtifactAttackTest {
    private static final long SMALL = 1_000_000;

    @TempDir static Path folder;
    private static ArtifactFixture fixture;

    @BeforeAll
    static void start() {
        fixture = new ArtifactFixture(folder, ArtifactOptions.DEFAULT.withBytesPerRun(SMALL));
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    private final TaskApi account = fixture.server.account();
    private final UUID run = fixture.run(account);
    private final RawHttp http = new RawHttp(fixture.server.port());

    /// Nothing of a test stays for the next.
    @AfterEach
    void clean() {
        fixture.cancel(account, run);
        fixture.server.kernel().clock().advance(ArtifactOptions.KEPT.plusDays(1));
        fixture.sweep();
        assertThat(fixture.files()).isZero();
    }

    private Said send(String method, String path, String headers, String body) {
        return http.send(
                "%s %s HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer %s\r\nConnection: close\r\n%s\r\n%s"
                        .formatted(method, path, account.key(), headers, body));
    }

    private Said upload(String query, String headers) {
        return send("POST", ofRun(run) + query, "Content-Length: 2\r\n" + headers, "hi");
    }

    private void refused(Said said, String statuses) {
        assertThat(said.status()).as(said.head() + said.body()).isNotEqualTo(500);
        assertThat(statuses.split(" ")).as(said.body()).contains(String.valueOf(said.status()));
        if (said.status() != 0) {
            assertThat(said.error()).as(said.body()).isNotEmpty();
            assertThat(said.body()).contains("agent_contract");
            assertThat(said.body()).doesNotContain("Exception", "/work/", "java.");
        }
    }

    private void nothingIsKept() {
        assertThat(fixture.count(account, run, "ready")).isZero();
        assertThat(fixture.count(account, run, "uploading")).isZero();
        assertThat(fixture.files()).isZero();
    }

    /// Ways out of a folder, other names for one name, characters that nobody sees, and what is a
    /// device on some machines.
    @Test
    void a_name_that_attacks_is_refused() {
        for (String query :
                new String[] {
                    "?name=../x",
                    "?name=..%2f..%2fetc%2fpasswd",
                    "?name=%2e%2e%2f%2e%2e%2fx",
                    "?name=..%5c..%5cx",
                    "?name=%2fetc%2fpasswd",
                    "?name=C:%5cx",
                    "?name=file:stream",
                    "?name=.",
                    "?name=..",
                    "?name=...",
                    "?name=a.",
                    "?name=%20a",
                    "?name=a%20",
                    "?name=%c2%a0a",
                    "?name=%00",
                    "?name=a%00.txt",
                    "?name=a%0d%0aX-Evil:%201",
                    "?name=a%0a",
                    "?name=a%09b",
                    "?name=a%7f",
                    "?name=a%1b[2J",
                    "?name=%c2%85",
                    "?name=a%e2%80%aetxt.exe",
                    "?name=a%e2%80%8bb",
                    "?name=a%e2%81%a6b",
                    "?name=%ef%bb%bfa",
                    "?name=a%e2%80%a8b",
                    "?name=%ee%80%80",
                    "?name=%f3%a0%80%81a",
                    "?name=%c0%af",
                    "?name=%e0%80%af",
                    "?name=%ed%a0%80",
                    "?name=%ff",
                    "?name=%zz",
                    "?name=%",
                    "?name=a%2",
                    "?name=a*",
                    "?name=a%3f",
                    "?name=a%22%3b%20filename=b",
                    "?name=%3cscript%3e",
                    "?name=a%7cb",
                    "?name=",
                    "",
                    "?name=a&name=b",
                    "?name=a&name=",
                    "?NAME=a",
                    "?name=a&other=b",
                    "?name=CON",
                    "?name=nul",
                    "?name=Aux.txt",
                    "?name=prn.tar.gz",
                    "?name=COM1",
                    "?name=lpt9.log",
                    "?name=com%c2%b9.txt",
                    "?name=CONIN$",
                    "?name=conout$",
                    "?name=nul%20.txt",
                    "?name=a&step_id=step_x",
                    "?name=a&step_id=step_00000000-0000-0000-0000-000000000000",
                    "?name=a&step_id=../x",
                    "?name=a&sha256=zz",
                    "?name=a&sha256=0",
                    "?name=a&sha256=%00",
                }) {
            refused(upload(query, ""), "400 404");
            nothingIsKept();
        }
    }

    @Test
    void a_name_that_is_too_long_is_refused() {
        for (int bytes : new int[] {256, 300, 4_000, 100_000}) {
            refused(upload("?name=" + "a".repeat(bytes), ""), "400 414 431");
            refused(upload("?name=" + "%f0%9f%98%80".repeat(bytes / 4 + 1), ""), "400 414 431");
        }
        nothingIsKept();
    }

    /// Two forms of the same letter are the same name.
    @Test
    void names_that_look_the_same_are_the_same() {
        assertThat(upload("?name=%C3%A9", "").status()).isEqualTo(201);
        Said again = upload("?name=e%CC%81", "");
        refused(again, "409");
        assertThat(again.error()).isEqualTo("artifact_exists");
        assertThat(upload("?name=%E2%84%AB", "").status()).isEqualTo(201);
        refused(upload("?name=%C3%85", ""), "409");
    }

    /// What the store is told is not what a browser believes.
    @Test
    void a_content_type_that_attacks_is_refused() {
        for (String header :
                new String[] {
                    "Content-Type: text",
                    "Content-Type: /",
                    "Content-Type: text/",
                    "Content-Type: text/plain; charset",
                    "Content-Type: text/plain; a=\"b",
                    "Content-Type: text/plain; a=\"\\\"",
                    "Content-Type: text/plain; a=\"\u0001\"",
                    "Content-Type: text/plain; a=\"\u007f\"",
                    "Content-Type: text/plain; a=\"\u00e9\u0080\"",
                    "Content-Type: text/plain, text/html",
                    "Content-Type: text/plain\r\nContent-Type: text/html",
                    "Content-Type: text/html<script>",
                    "Content-Type: multipart/form-data; boundary=x",
                    "Content-Type: MULTIPART/form-data; boundary=x",
                    "Content-Type: text/plain\u0000",
                    "Content-Type: text/plain\u000bx",
                    "Content-Type: text/plain\r\n X-Evil: 1",
                }) {
            refused(upload("?name=a", header + "\r\n"), "400 0");
            nothingIsKept();
        }
    }

    @Test
    void a_content_type_that_is_too_long_is_refused() {
        refused(upload("?name=a", "Content-Type: text/" + "x".repeat(300) + "\r\n"), "400");
        nothingIsKept();
    }

    /// Lengths that lie.
    @Test
    void a_length_that_lies_is_refused() {
        for (String headers :
                new String[] {
                    "Content-Length: -1",
                    "Content-Length: 99999999999999999999",
                    "Content-Length: 9223372036854775807",
                    "Content-Length: 1000001",
                    "Content-Length: 0x10",
                    "Content-Length: 2, 3",
                    "Content-Length: 2\r\nContent-Length: 3",
                    "Content-Length: 2\r\nTransfer-Encoding: chunked",
                    "Transfer-Encoding: gzip, chunked",
                    "Transfer-Encoding: xchunked",
                    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                }) {
            Said said = send("POST", ofRun(run) + "?name=a", headers + "\r\n", "hi");
            assertThat(said.status()).as(said.body()).isIn(0, 400, 413, 411, 501);
            nothingIsKept();
        }
    }

    /// Ids that are none, or not of this kind, and paths that lead elsewhere.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET  | /api/v1/artifacts/{other}
                    GET  | /api/v1/artifacts/{other}/content
                    POST | /api/v1/artifacts/{other}/url
                    GET  | /api/v1/runs/{otherrun}/artifacts
                    POST | /api/v1/runs/{otherrun}/artifacts?name=a
                    GET  | /api/v1/artifacts/{otherrun}
                    GET  | /api/v1/artifacts/../credits
                    GET  | /api/v1/artifacts/..%2f..%2fcredits
                    GET  | /api/v1/artifacts/%2e%2e/%2e%2e/x
                    GET  | /api/v1/artifacts/{other}%00
                    GET  | /api/v1/artifacts/{other}%2fcontent
                    GET  | /api/v1/artifacts/{other};a=b/content
                    GET  | /api/v1/artifacts//content
                    GET  | /api/v1/artifacts/artifact_/content
                    GET  | /api/v1/artifacts/artifact_00000000-0000-0000-0000-000000000000/content
                    GET  | /api/v1/artifacts/' or 1=1 --
                    GET  | /api/v1/artifacts/%27%20or%201=1%20--/content
                    GET  | /api/v1/artifacts/%ff/content
                    GET  | /api/v1/artifacts/{other}/content/../../../credits
                    GET  | /api/v1/runs/run_x/artifacts
                    GET  | /api/v1/runs/{run}/artifacts?state=gone
                    GET  | /api/v1/runs/{run}/artifacts?cursor=AAAA
                    GET  | /api/v1/runs/{run}/artifacts?limit=99999999999
                    PUT  | /api/v1/runs/{run}/artifacts?name=a
                    DELETE | /api/v1/artifacts/{other}
                    """)
    void an_id_that_is_not_mine_is_refused(String method, String path) {
        TaskApi other = fixture.server.account();
        UUID theirs = fixture.run(other);
        String artifact = stored(other, theirs, "theirs", "secret");
        String id = artifact.substring(artifact.lastIndexOf('/') + 1);
        String filled =
                path.replace("{other}", id)
                        .replace("{otherrun}", "run_" + theirs)
                        .replace("{run}", "run_" + run);
        Said said = send(method, filled, "Content-Length: 2\r\n", "{}");
        assertThat(said.status()).as(said.head() + said.body()).isBetween(400, 499);
        assertThat(said.body()).doesNotContain("secret\"", "Exception");
        assertThat(said.head()).doesNotContain("Content-Disposition");
        assertThat(fixture.count(other, theirs, "ready")).isEqualTo(1);
        assertThat(fixture.count(account, run, "ready")).isZero();
        fixture.cancel(other, theirs);
    }

    /// An address that was signed is good for what it was signed for, and for nothing else.
    @Test
    void a_signed_address_is_good_for_what_it_says_only() {
        String path = stored(account, run, "mine", "hello");
        String second = stored(account, run, "second", "other");
        TaskApi other = fixture.server.account();
        String url = account.api().post(path + "/url", "{\"expires_in_seconds\":60}").text("/url");
        String address = url.substring(url.indexOf("/api/"));
        assertThat(plain("GET", address).body()).isEqualTo("hello");
        String signature = address.substring(address.indexOf("signature=") + 10);
        String until = address.replaceFirst(".*until=([0-9]+).*", "$1");
        String id = path.substring(path.lastIndexOf('/') + 1);
        String secondId = second.substring(second.lastIndexOf('/') + 1);
        String flipped = (signature.charAt(0) == 'A' ? "B" : "A") + signature.substring(1);
        for (String changed :
                new String[] {
                    address.replace(id, secondId),
                    address.replace(account.accountId(), other.accountId()),
                    address.replace("until=" + until, "until=" + (Long.parseLong(until) + 1)),
                    address.replace("until=" + until, "until=2147483647"),
                    address.replace("until=" + until, "until=0"),
                    address.replace("until=" + until, "until=0" + until),
                    address.replace("until=" + until, "until=-1"),
                    address.replace("until=" + until, "until=1e18"),
                    address.replace("until=" + until, "until=99999999999999999999"),
                    address.replace("until=" + until, "until="),
                    address.replace("&until=" + until, ""),
                    address.replace(signature, ""),
                    address.replace(signature, signature.substring(1)),
                    address.replace(signature, signature.substring(0, signature.length() - 1)),
                    address.replace(signature, flipped),
                    address.replace(signature, signature + "="),
                    address.replace(signature, signature + "%00"),
                    address.replace(signature, signature.toUpperCase(Locale.ROOT)),
                    address.replace(signature, "none"),
                    address.replace(signature, "null"),
                    address.replace(signature, "A".repeat(10_000)),
                    address.replace("&signature=" + signature, ""),
                    address + "&signature=" + signature,
                    address + "&signature=x",
                    address + "&until=2147483647",
                    address + "&org_id=" + other.accountId(),
                    address + "&alg=none",
                    address.replace("org_id=", "org_id=%00"),
                    address.replace(account.accountId(), "00000000-0000-0000-0000-000000000000"),
                    address.replace(
                            account.accountId(), account.accountId().toUpperCase(Locale.ROOT)),
                    address.replace("/shared", "/content"),
                    address.replace("/shared", "/shared/"),
                    address.replace("/shared", ""),
                    address.replace("/shared", "/url"),
                }) {
            if (changed.equals(address)) {
                continue;
            }
            Said said = plain("GET", changed);
            if (said.status() == 200 && changed.equalsIgnoreCase(address)) {
                // The same account, written otherwise.
                continue;
            }
            assertThat(said.status()).as(changed + said.body()).isBetween(400, 499);
            assertThat(said.body()).as(changed).doesNotContain("hello", "Exception");
        }
        for (String method : new String[] {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
            Said said = plain(method, address);
            assertThat(said.status()).as(method + said.body()).isBetween(200, 499);
            assertThat(said.body()).as(method).doesNotContain("hello");
        }
        fixture.cancel(account, run);
        assertThat(plain("GET", address).status()).isEqualTo(200);
        fixture.server.kernel().clock().advance(Duration.ofSeconds(61));
        // The node looks at the time now and then.
        account.api().get(path);
        Said over = plain("GET", address);
        assertThat(over.status()).isBetween(400, 499);
        assertThat(over.error()).isEqualTo("address_expired");
    }

    private Said plain(String method, String path) {
        return http.send(
                "%s %s HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                        .formatted(method, path));
    }

    /// A range is answered with at most the content, once, or refused.
    @Test
    void a_range_gives_no_more_than_the_content() {
        String path = stored(account, run, "ranged", "0123456789");
        for (String range :
                new String[] {
                    "bytes=0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0",
                    "bytes=0-9,1-9,2-9,3-9",
                    "bytes=-9999999999999999999999",
                    "bytes=-9223372036854775808",
                    "bytes=18446744073709551615-",
                    "bytes=9223372036854775807-9223372036854775807",
                    "bytes=999999999999999999-",
                    "bytes=--1",
                    "bytes=1--1",
                    "bytes=5-1",
                    "bytes=0x0-0x5",
                    "bytes=\u0661-2",
                    "bytes=0-\r\nRange: bytes=1-",
                    "BYTES=0-1",
                    "bytes=0-1;q=1",
                    "items=0-1",
                }) {
            Said said = send("GET", path + "/content", "Range: " + range + "\r\n", "");
            assertThat(said.status()).as(said.body()).isIn(0, 200, 206, 400, 416);
            if (said.status() <= 206) {
                assertThat("0123456789").contains(said.body());
            }
            refused(
                    send(
                            "GET",
                            path + "/content",
                            "Range: bytes=" + "0-0,".repeat(5_000) + "\r\n",
                            ""),
                    "400 431");
        }
    }

    /// What is signed for how long.
    @Test
    void an_end_that_makes_no_sense_is_refused() {
        String path = stored(account, run, "mine", "x");
        for (String body :
                new String[] {
                    "{\"expires_in_seconds\":-1}",
                    "{\"expires_in_seconds\":0}",
                    "{\"expires_in_seconds\":99999999999}",
                    "{\"expires_in_seconds\":1e400}",
                    "{\"expires_in_seconds\":9223372036854775808}",
                    "{\"expires_in_seconds\":1.5}",
                    "{\"expires_in_seconds\":\"60\"}",
                    "{\"expires_in_seconds\":60,\"expires_in_seconds\":99}",
                    "{\"expires_in_seconds\":60,\"org_id\":\"x\"}",
                    "[[[[[[[[]]]]]]]]",
                    "{\"expires_in_seconds\":NaN}",
                    "\u0000",
                    "{",
                }) {
            refused(
                    send(
                            "POST",
                            path + "/url",
                            "Content-Type: application/json\r\nContent-Length: "
                                    + body.length()
                                    + "\r\n",
                            body),
                    "400 422");
            String deep = "[".repeat(100_000);
            refused(
                    send(
                            "POST",
                            path + "/url",
                            "Content-Type: application/json\r\nContent-Length: 100000\r\n",
                            deep),
                    "400 413 422");
        }
    }

    /// A name reaches whoever downloads as it was given, and adds no header and no field to one.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a%3B%20filename=b.exe | a; filename=b.exe
                    %C3%A9%E2%82%AC       | é€
                    a'b''c                | a'b''c
                    a%25%30%64%25%30%61b  | a%0d%0ab
                    a%3Db%26c             | a=b&c
                    """)
    void a_name_adds_nothing_to_the_headers(String written, String name) {
        String path = stored(account, run, written, "x");
        assertThat(account.api().get(path).text("/name")).isEqualTo(name);
        Said said = send("GET", path + "/content", "", "");
        assertThat(said.status()).isEqualTo(200);
        String line =
                said.head()
                        .lines()
                        .filter(each -> each.startsWith("Content-Disposition"))
                        .findFirst()
                        .orElseThrow();
        assertThat(line).startsWith("Content-Disposition: attachment; filename=\"");
        assertThat(line.chars().filter(each -> each == '"').count()).isEqualTo(2);
        assertThat(line.chars()).allMatch(each -> each >= 0x20 && each < 0x7f);
        assertThat(line.substring(line.indexOf("filename*=")))
                .matches("filename\\*=UTF-8''[A-Za-z0-9._~%-]+");
        assertThat(said.hasHeader("x-content-type-options")).isTrue();
    }
}
