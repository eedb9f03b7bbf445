package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.egress.GuardedEgress;
import io.orchestrion.server.egress.ReceiverUrl;
import io.orchestrion.server.egress.RefusedUrls;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.server.webhooks.Sender.Outcome;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// J-296. Nobody gets us to call a network that is none of their business.
class AddressGuardTest {
    private static final UUID OWNER = UUID.fromString("01890000-0000-7000-8000-000000000001");
    /// More than a busy machine needs for what is answered or refused at once.
    private static final Duration LONG = Duration.ofSeconds(30);
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
        return new AddressGuard(AddressRanges.NONE, AddressGuardTest::evil, LONG);
    }

    private static List<String> known() {
        return RefusedUrls.KNOWN;
    }

    @ParameterizedTest
    @MethodSource("known")
    void an_address_is_refused_for_what_it_says(String url) {
        try (var guard = guard()) {
            assertThat(guard.knownFault(url)).as(url).startsWith("must ");
            assertThat(guard.fault(OWNER, url)).as(url).startsWith("must ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://private.example/",
                "http://loopback.example/",
                "http://metadata.example/",
                "http://six.example/",
                "http://unique.example/",
                "http://mapped.example/",
                "http://mixed.example/",
                "http://mixed6.example/",
                "http://zero.example/",
            })
    void a_name_is_refused_for_what_it_stands_for(String url) {
        try (var guard = guard()) {
            assertThat(guard.knownFault(url)).isNull();
            assertThat(guard.fault(OWNER, url)).as(url).startsWith("must ");
        }
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
            assertThat(guard.knownFault(url)).isNull();
            assertThat(guard.fault(OWNER, url)).isNull();
        }
    }

    /// What is allowed by configuration is, and nothing beside it.
    @Test
    void configuration_allows_a_range() {
        try (var guard =
                new AddressGuard(
                        AddressRanges.of("10.1.0.0/16, ::1"), AddressGuardTest::evil, LONG)) {
            assertThat(guard.knownFault("http://10.1.2.3/")).isNull();
            assertThat(guard.knownFault("http://[::1]/")).isNull();
            assertThat(guard.knownFault("http://localhost/")).isNull();
            assertThat(guard.knownFault("http://10.2.0.1/")).isNotNull();
            assertThat(guard.knownFault("http://127.0.0.1/")).isNotNull();
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
                var guard = new AddressGuard(AddressRanges.of("127.0.0.2"), rebinding, LONG);
                var egress = new GuardedEgress(guard)) {
            var sender = new Sender(egress, LONG);
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
                                AddressRanges.of("127.0.0.1"), _ -> addresses("127.0.0.1"), LONG);
                var egress = new GuardedEgress(guard)) {
            var sender = new Sender(egress, LONG);
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
            assertThat(guard.fault(OWNER, "http://slow.example/")).isNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(30));
        }
    }
}
