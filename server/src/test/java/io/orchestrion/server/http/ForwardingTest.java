package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

/// Where a request comes from, and how many connections from there, over the wire.
@Timeout(180)
class ForwardingTest {
    private static final String SPOOFED =
            "X-Forwarded-For: 198.51.100.1\r\n"
                    + "X-Forwarded-For: 198.51.100.2, 198.51.100.3\r\n"
                    + "Forwarded: for=198.51.100.4\r\n"
                    + "X-Real-IP: 198.51.100.5\r\n";

    private static HttpServer server(HttpOptions options) {
        return HttpServer.start(options, new Fixture().router());
    }

    private static Wire.Reply who(Wire wire, String headers) throws Exception {
        wire.send("GET /v1/who HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n");
        return wire.reply();
    }

    private static String seen(HttpServer server, String headers) throws Exception {
        try (var wire = new Wire(server)) {
            return who(wire, headers).body();
        }
    }

    /// T-236, C-68.
    @Test
    void without_trust_no_header_changes_where_a_request_comes_from() throws Exception {
        try (HttpServer server = server(Fixture.options())) {
            String plain = seen(server, "");
            assertThat(plain)
                    .isEqualTo(
                            "{\"peer\":\"127.0.0.1\",\"client\":\"127.0.0.1\","
                                    + "\"subject\":\"127.0.0.1\"}");
            assertThat(seen(server, SPOOFED)).isEqualTo(plain);
        }
        // Trusting somebody else is no trust in this peer.
        HttpOptions others =
                Fixture.options().withTrustedProxies(AddressRanges.of("10.0.0.0/8, ::1"));
        try (HttpServer server = server(others)) {
            assertThat(seen(server, SPOOFED)).contains("\"client\":\"127.0.0.1\"");
        }
    }

    /// T-236, C-68.
    @Test
    void a_trusted_proxy_is_believed_about_what_is_behind_it() throws Exception {
        HttpOptions options =
                Fixture.options().withTrustedProxies(AddressRanges.of("127.0.0.1, 198.51.100.3"));
        try (HttpServer server = server(options)) {
            assertThat(seen(server, SPOOFED))
                    .isEqualTo(
                            "{\"peer\":\"127.0.0.1\",\"client\":\"198.51.100.2\","
                                    + "\"subject\":\"198.51.100.2\"}");
            assertThat(seen(server, "x-forwarded-for: 2001:db8::1\r\n"))
                    .contains("\"subject\":\"2001:0db8:0000:0000::/64\"");
            assertThat(seen(server, "Forwarded: for=\"[2001:db8::1]:5\"\r\n"))
                    .contains("\"client\":\"2001:db8:0:0:0:0:0:1\"");
            assertThat(seen(server, "")).contains("\"client\":\"127.0.0.1\"");
        }
    }

    @Test
    void one_source_gets_its_share_of_connections_and_no_more() throws Exception {
        HttpOptions options = Fixture.options().withConnectionsPerAddress(3, AddressRanges.NONE);
        try (HttpServer server = server(options)) {
            var open = new ArrayList<Wire>();
            for (int i = 0; i < 3; i++) {
                var wire = new Wire(server);
                assertThat(who(wire, "").status()).isEqualTo(200);
                open.add(wire);
            }
            try (var fourth = new Wire(server)) {
                assertThat(who(fourth, "").status()).isEqualTo(503);
                assertThat(fourth.closed()).isTrue();
            }
            var holders = new ArrayList<Wire>();
            while (holders.size() <= HttpOptions.more(3) && heard(server, holders)) {
                // Until one is told that there are too many.
            }
            // The fourth may have been counted for a moment longer.
            assertThat(holders.size()).isBetween(HttpOptions.more(3) - 1, HttpOptions.more(3));
            for (Wire holder : holders) {
                holder.close();
            }
            for (Wire wire : open) {
                assertThat(who(wire, "").status()).as("those before go on").isEqualTo(200);
            }
            open.removeFirst().close();
            openedAgain(server);
            for (Wire wire : open) {
                wire.close();
            }
        }
    }

    /// Whether a holder is heard on one more connection, which is kept then.
    private static boolean heard(HttpServer server, List<Wire> holders) throws Exception {
        var wire = new Wire(server);
        try {
            wire.send("POST /v1/things/1/heartbeat HTTP/1.1\r\nHost: h\r\n\r\n");
            Wire.Reply reply = wire.reply();
            if (reply != null && reply.status() == 204) {
                holders.add(wire);
                return true;
            }
        } catch (java.io.IOException e) {
            // Closed before it could ask.
        }
        wire.close();
        return false;
    }

    /// The place of a connection that was closed is free a moment later.
    private static void openedAgain(HttpServer server) throws Exception {
        long deadline = System.nanoTime() + 20_000_000_000L;
        Wire.Reply reply = null;
        while ((reply == null || reply.status() != 200) && System.nanoTime() < deadline) {
            try (var wire = new Wire(server)) {
                reply = who(wire, "");
            } catch (java.io.IOException e) {
                // Closed before it could ask.
                reply = null;
            }
        }
        assertThat(reply).isNotNull();
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void this_machine_and_trusted_proxies_have_no_share_and_zero_is_no_bound() throws Exception {
        AddressRanges none = AddressRanges.NONE;
        for (HttpOptions options :
                List.of(
                        Fixture.options().withConnectionsPerAddress(1, AddressRanges.LOOPBACK),
                        Fixture.options()
                                .withConnectionsPerAddress(1, none)
                                .withTrustedProxies(AddressRanges.of("127.0.0.1")),
                        Fixture.options().withConnectionsPerAddress(0, none))) {
            try (HttpServer server = server(options);
                    var one = new Wire(server);
                    var two = new Wire(server)) {
                assertThat(who(one, "").status()).isEqualTo(200);
                assertThat(who(two, "").status()).isEqualTo(200);
            }
        }
    }

    /// A counted connection that waits for its next request must not hold up a stop.
    @Test
    void a_stop_does_not_wait_for_idle_connections() throws Exception {
        HttpOptions options = Fixture.options().withConnectionsPerAddress(3, AddressRanges.NONE);
        HttpServer server = server(options);
        try (var idle = new Wire(server)) {
            who(idle, "");
            long began = System.nanoTime();
            assertThat(server.stop(java.time.Duration.ofSeconds(20))).isTrue();
            // Half of the time that a stop gives to those it waits for.
            assertThat(System.nanoTime() - began).isLessThan(10_000_000_000L);
            assertThat(idle.closed()).isTrue();
        }
    }
}
