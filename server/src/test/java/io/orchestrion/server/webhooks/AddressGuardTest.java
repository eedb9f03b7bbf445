package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.egress.ReceiverUrl;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.server.webhooks.Sender.Outcome;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// J-296. Nobody gets us to call a network that is none of their business.
class AddressGuardTest {
    private static final UUID OWNER = UUID.fromString("01890000-0000-7000-8000-000000000001");
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    /// Names as an attacker's own server would answer them.
    private static InetAddress[] evil(String name) throws UnknownHostException {
        return switch (name) {
            case "private.example" -> addresses("10.0.0.5");
            case "loopback.example" -> addresses("127.0.0.1");
            case "metadata.example" -> addresses("169.254.169.254");
            case "six.example" -> addresses("::1");
            case "unique.example" -> addresses("fd00::1");
            case "mapped.example" -> addresses("::ffff:10.0.0.1");
            case "mixed.example" -> addresses("93.184.216.34", "192.168.1.1");
            case "mixed6.example" -> addresses("93.184.216.34", "fe80::1");
            case "zero.example" -> addresses("0.0.0.0");
            case "good.example" -> addresses("93.184.216.34", "2606:2800:220:1::1");
            case "localhost", "a.localhost" -> addresses("127.0.0.1");
            default -> throw new UnknownHostException(name);
        };
    }

    private static InetAddress[] addresses(String... literals) {
        var all = new InetAddress[literals.length];
        for (int i = 0; i < literals.length; i++) {
            all[i] = InetAddress.ofLiteral(literals[i]);
        }
        return all;
    }

    private static AddressGuard guard() {
        return new AddressGuard(AddressRanges.NONE, AddressGuardTest::evil, SHORT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Addresses of this machine and its networks.
                "http://127.0.0.1/",
                "http://127.0.0.1:8080/",
                "https://127.0.0.2/",
                "http://127.255.255.255/",
                "http://10.0.0.1/",
                "http://10.255.255.255/",
                "http://172.16.0.1/",
                "http://172.31.255.255/",
                "http://192.168.0.1/",
                "http://192.168.255.255/",
                "http://0.0.0.0/",
                "http://0.1.2.3/",
                // Carriers', link-local with clouds' metadata, and others that are special.
                "http://100.64.0.1/",
                "http://100.127.255.255/",
                "http://100.100.100.200/",
                "http://169.254.169.254/latest/meta-data/",
                "http://169.254.0.1/",
                "http://168.63.129.16/",
                "http://192.0.0.192/",
                "http://192.0.2.1/",
                "http://192.88.99.1/",
                "http://198.18.0.1/",
                "http://198.19.255.255/",
                "http://198.51.100.1/",
                "http://203.0.113.1/",
                "http://224.0.0.1/",
                "http://239.255.255.255/",
                "http://240.0.0.1/",
                "http://255.255.255.255/",
                // IPv6, also with an IPv4 address in it.
                "http://[::1]/",
                "http://[::]/",
                "http://[0:0:0:0:0:0:0:1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://[::ffff:10.0.0.1]/",
                "http://[::ffff:169.254.169.254]/",
                "http://[::127.0.0.1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[64:ff9b::10.0.0.1]/",
                "http://[64:ff9b:1::1]/",
                "http://[2002:7f00:1::]/",
                "http://[2002:a00:1::1]/",
                "http://[2001:0:7f00:1::1]/",
                "http://[2001:db8::1]/",
                "http://[3fff::1]/",
                "http://[fc00::1]/",
                "http://[fd00:ec2::254]/",
                "http://[fe80::1]/",
                "http://[fec0::1]/",
                "http://[ff02::1]/",
                "http://[100::1]/",
                // Names that stand for such.
                "http://localhost/",
                "http://a.localhost/",
                "http://LOCALHOST/",
                "http://private.example/",
                "http://loopback.example/",
                "http://metadata.example/",
                "http://six.example/",
                "http://unique.example/",
                "http://mapped.example/",
                "http://mixed.example/",
                "http://mixed6.example/",
                "http://zero.example/",
                // Other ways to write an address.
                "http://127.1/",
                "http://127.0.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.1/",
                "http://0x7f.0.0.1/",
                "http://017700000001/",
                "http://0177.0.0.1/",
                "http://127.0.0.0x1/",
                "http://010.0.0.1/",
                "http://127.0.0.1./",
                "http://256.256.256.256/",
                "http://1.2.3.4.5/",
                "http://[fe80::1%25eth0]/",
                "http://[::1/",
                "http://127.0.0.1%00.example.com/",
                "http://127。0。0。1/",
                "http://①②⑦.⓪.⓪.①/",
                "http://loc\u00adalhost/",
                // Other schemes, users, and what readers of URLs differ about.
                "ftp://good.example/",
                "file:///etc/passwd",
                "gopher://good.example/",
                "javascript:alert(1)",
                "//good.example/",
                "good.example",
                "http:/good.example",
                "http://",
                "http:///path",
                "http://user@good.example/",
                "http://user:password@good.example/",
                "http://good.example@127.0.0.1/",
                "http://127.0.0.1#@good.example/",
                "http://good.example/#fragment",
                "http://good.example\\@127.0.0.1/",
                "http://good.example\t/",
                "http://good.example/\r\nX: y",
                "http://good.example /",
                "http://.example/",
                "http://good..example/",
                "http://good.example./",
                "http://-bad.example/",
                // Ports of other services.
                "http://good.example:0/",
                "http://good.example:22/",
                "http://good.example:25/",
                "http://good.example:6379/",
                "http://good.example:5432/",
                "http://good.example:65536/",
                "http://good.example:99999/"
            })
    void an_address_is_refused(String url) {
        try (var guard = guard()) {
            ReceiverUrl.Read read = ReceiverUrl.read(url);
            assertThat(read.fault() != null || guard.fault(host(read)) != null).as(url).isTrue();
        }
    }

    private static String host(ReceiverUrl.Read read) {
        ReceiverUrl url = read.url();
        assertThat(url).isNotNull();
        return url == null ? "" : url.host();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://good.example/",
                "https://good.example/hooks?x=1&y=%20z",
                "https://good.example:8443/",
                "http://93.184.216.34/",
                "http://8.8.8.8:8080/",
                "http://[2606:2800:220:1::1]/",
                "https://xn--bcher-kva.example/",
                "http://172.32.0.1/",
                "http://100.128.0.1/",
                "http://not-yet.example/"
            })
    void a_public_address_is_not(String url) {
        try (var guard = guard()) {
            ReceiverUrl.Read read = ReceiverUrl.read(url);
            assertThat(read.fault()).isNull();
            assertThat(guard.fault(host(read))).isNull();
        }
    }

    /// What is allowed by configuration is, and nothing beside it.
    @Test
    void configuration_allows_a_range() {
        try (var guard =
                new AddressGuard(
                        AddressRanges.of("10.1.0.0/16, ::1"), AddressGuardTest::evil, SHORT)) {
            assertThat(guard.fault("10.1.2.3")).isNull();
            assertThat(guard.fault("[::1]")).isNull();
            assertThat(guard.fault("10.2.0.1")).isNotNull();
            assertThat(guard.fault("127.0.0.1")).isNotNull();
        }
    }

    /// A name that stands for something else at each look: every call goes to an address that was
    /// looked at, and none to one that is not allowed.
    @Test
    void a_name_that_changes_leads_nowhere() {
        var looks = new AtomicInteger();
        AddressGuard.Resolver rebinding =
                name ->
                        looks.incrementAndGet() % 2 == 1
                                ? addresses("127.0.0.2")
                                : addresses("127.0.0.1");
        try (var receiver = new HookReceiver();
                var guard = new AddressGuard(AddressRanges.of("127.0.0.2"), rebinding, SHORT);
                var sender = new Sender(guard, SHORT)) {
            ReceiverUrl url =
                    ReceiverUrl.read("http://evil.example:" + receiver.port() + "/").url();
            assertThat(url).isNotNull();
            for (int i = 0; url != null && i < 20; i++) {
                Outcome outcome = sender.send(OWNER, url, Map.of(), BODY);
                assertThat(outcome).isInstanceOf(Outcome.Unanswered.class);
            }
            assertThat(looks.get()).as("what was looked at is what is called").isEqualTo(20);
            assertThat(receiver.got()).isEmpty();
            assertThat(receiver.mostOpen()).isZero();
        }
    }

    /// A name server that never answers costs its owner's calls, and nobody else's.
    @Test
    void names_of_one_owner_that_are_never_found_hold_up_no_other() throws Exception {
        var forever = new CountDownLatch(1);
        try (var guard =
                        new AddressGuard(
                                AddressRanges.of("127.0.0.1"),
                                name -> {
                                    if (name.startsWith("slow")) {
                                        awaitQuietly(forever);
                                    }
                                    return addresses("127.0.0.1");
                                },
                                Duration.ofMillis(200));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var slow = new ArrayList<Future<?>>();
            for (int i = 0; i < 40; i++) {
                String name = "slow" + i + ".example";
                slow.add(threads.submit(() -> guard.vetted(OWNER, name)));
            }
            for (Future<?> each : slow) {
                assertThatThrownBy(each::get).hasCauseInstanceOf(UnknownHostException.class);
            }
            UUID other = UUID.fromString("01890000-0000-7000-8000-000000000002");
            assertThat(guard.vetted(other, "quick.example")).hasSize(1);
            assertThatThrownBy(() -> guard.vetted(OWNER, "quick.example"))
                    .as("its places are taken until those lookups have really ended")
                    .isInstanceOf(UnknownHostException.class);
            forever.countDown();
            Until.isTrue(
                    "the places are free again",
                    Duration.ofSeconds(10),
                    () -> {
                        try {
                            return guard.vetted(OWNER, "quick.example").size() == 1;
                        } catch (UnknownHostException e) {
                            return false;
                        }
                    });
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        boolean ended = false;
        while (!ended) {
            try {
                latch.await();
                ended = true;
            } catch (InterruptedException e) {
                // As the system's resolver does.
            }
        }
    }

    /// The connection goes to the address that was looked at, under the name in the URL.
    @Test
    void the_connection_is_pinned_and_keeps_its_name() {
        try (var receiver = new HookReceiver();
                var guard =
                        new AddressGuard(
                                AddressRanges.of("127.0.0.1"), _ -> addresses("127.0.0.1"), SHORT);
                var sender = new Sender(guard, SHORT)) {
            ReceiverUrl url =
                    ReceiverUrl.read("http://hooks.example:" + receiver.port() + "/in").url();
            assertThat(url).isNotNull();
            if (url != null) {
                assertThat(sender.send(OWNER, url, Map.of("webhook-id", "1"), BODY))
                        .isInstanceOfSatisfying(
                                Outcome.Answered.class,
                                answered -> assertThat(answered.status()).isEqualTo(200));
            }
            assertThat(receiver.got("/in").getFirst().header("host"))
                    .isEqualTo("hooks.example:" + receiver.port());
        }
    }

    /// A resolver that never answers holds nobody for long.
    @Test
    void a_name_that_is_never_resolved_is_given_up() {
        var never = new CountDownLatch(1);
        try (var guard =
                new AddressGuard(
                        AddressRanges.NONE,
                        _ -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            throw new UnknownHostException();
                        },
                        Duration.ofMillis(50))) {
            long begun = System.nanoTime();
            assertThat(guard.fault("slow.example")).isNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(5));
        }
    }
}
