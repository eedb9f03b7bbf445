package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class ClientAddressTest {
    private static final AddressRanges TRUSTED =
            AddressRanges.of("10.0.0.0/8, 192.168.7.1, fd00::/8");

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private static ClientAddress client(String peer, List<String> forwardedFor) {
        return ClientAddress.of(
                address(peer),
                TRUSTED,
                name -> name.equals("X-Forwarded-For") ? forwardedFor : List.of());
    }

    private static ClientAddress standard(String peer, List<String> forwarded) {
        return ClientAddress.of(
                address(peer), TRUSTED, name -> name.equals("Forwarded") ? forwarded : List.of());
    }

    /// T-236: the header lines stand with `;` between them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    # peer       | header                                 | client
                    203.0.113.9  | none                                   | 203.0.113.9
                    203.0.113.9  | 198.51.100.1                           | 203.0.113.9
                    203.0.113.9  | 198.51.100.1, 10.0.0.1                 | 203.0.113.9
                    10.0.0.1     | none                                   | 10.0.0.1
                    10.0.0.1     | 198.51.100.1                           | 198.51.100.1
                    10.0.0.1     | 1.1.1.1, 198.51.100.1                  | 198.51.100.1
                    10.0.0.1     | 1.1.1.1, 198.51.100.1, 10.0.0.2        | 198.51.100.1
                    10.0.0.1     | 198.51.100.1,10.0.0.2 ,192.168.7.1     | 198.51.100.1
                    10.0.0.1     | 192.168.7.2                            | 192.168.7.2
                    10.0.0.1     | 10.0.0.3, 10.0.0.2                     | 10.0.0.3
                    10.0.0.1     | 1.1.1.1; 198.51.100.1                  | 198.51.100.1
                    10.0.0.1     | 198.51.100.1; 10.0.0.2                 | 198.51.100.1
                    10.0.0.1     | 198.51.100.1:4711                      | 198.51.100.1
                    10.0.0.1     | 2001:db8::1                            | 2001:db8:0:0:0:0:0:1
                    10.0.0.1     | [2001:db8::1]                          | 2001:db8:0:0:0:0:0:1
                    10.0.0.1     | [2001:DB8::1]:443                      | 2001:db8:0:0:0:0:0:1
                    10.0.0.1     | 198.51.100.1, fd12::1                  | 198.51.100.1
                    fd00::7      | 198.51.100.1                           | 198.51.100.1
                    fe00::7      | 198.51.100.1                           | fe00:0:0:0:0:0:0:7
                    10.0.0.1     | ::ffff:198.51.100.1                    | 198.51.100.1
                    10.0.0.1     | 1.1.1.1, ::ffff:10.0.0.2               | 1.1.1.1
                    10.0.0.1     | 198.51.100.1,                          | 198.51.100.1
                    10.0.0.1     | 198.51.100.1, ,,                       | 198.51.100.1
                    10.0.0.1     | ''                                     | 10.0.0.1
                    # malformed: nothing behind it is believed
                    10.0.0.1     | unknown                                | 10.0.0.1
                    10.0.0.1     | 198.51.100.1, unknown                  | 10.0.0.1
                    10.0.0.1     | 198.51.100.1, nonsense, 10.0.0.2       | 10.0.0.2
                    10.0.0.1     | example.com                            | 10.0.0.1
                    10.0.0.1     | localhost                              | 10.0.0.1
                    10.0.0.1     | 198.51.100                             | 10.0.0.1
                    10.0.0.1     | 198.51.100.256                         | 10.0.0.1
                    10.0.0.1     | 198.51.100.01                          | 10.0.0.1
                    10.0.0.1     | 0x7f.0.0.1                             | 10.0.0.1
                    10.0.0.1     | 3325256705                             | 10.0.0.1
                    10.0.0.1     | 198.51.100.1:port                      | 10.0.0.1
                    10.0.0.1     | [198.51.100.1]                         | 10.0.0.1
                    10.0.0.1     | [2001:db8::1                           | 10.0.0.1
                    10.0.0.1     | 2001:db8::1]                           | 10.0.0.1
                    10.0.0.1     | 2001:db8::1::                          | 10.0.0.1
                    10.0.0.1     | fe80::1%eth0                           | 10.0.0.1
                    10.0.0.1     | "198.51.100.1"                         | 10.0.0.1
                    10.0.0.1     | for=198.51.100.1                       | 10.0.0.1
                    # a quote that a client left open swallows nothing
                    10.0.0.1     | "evil, 198.51.100.1                    | 198.51.100.1
                    """)
    void the_client_is_the_nearest_address_that_is_no_trusted_proxy(
            String peer, String header, String client) {
        List<String> lines = header == null ? List.of() : List.of(header.split(";"));
        assertThat(client(peer, lines).text()).isEqualTo(client);
    }

    /// T-236: RFC 7239; the lines stand with `/` between them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    203.0.113.9 | for=198.51.100.1                                   | 203.0.113.9
                    10.0.0.1    | for=198.51.100.1                                   | 198.51.100.1
                    10.0.0.1    | For="198.51.100.1:80";proto=http;by=10.0.0.1       | 198.51.100.1
                    10.0.0.1    | proto=https; FOR=198.51.100.1                      | 198.51.100.1
                    10.0.0.1    | for="[2001:db8::1]:4711"                           | 2001:db8:0:0:0:0:0:1
                    10.0.0.1    | for=1.1.1.1, for=198.51.100.1, for=10.0.0.2        | 198.51.100.1
                    10.0.0.1    | for=1.1.1.1 / for=198.51.100.1                     | 198.51.100.1
                    10.0.0.1    | for=198.51.100.1;host="a,b;c", for=10.0.0.2        | 198.51.100.1
                    10.0.0.1    | for=unknown                                        | 10.0.0.1
                    10.0.0.1    | for=_hidden                                        | 10.0.0.1
                    10.0.0.1    | for=1.1.1.1, for="_x", for=10.0.0.2                | 10.0.0.2
                    10.0.0.1    | proto=http                                         | 10.0.0.1
                    10.0.0.1    | for=1.1.1.1;for=2.2.2.2                            | 10.0.0.1
                    10.0.0.1    | for=                                               | 10.0.0.1
                    10.0.0.1    | 198.51.100.1                                       | 10.0.0.1
                    10.0.0.1    | for="evil, for=198.51.100.1                        | 198.51.100.1
                    10.0.0.1    | for="evil\\", for="198.51.100.1"                   | 198.51.100.1
                    """)
    void the_standard_header_is_read_the_same_way(String peer, String header, String client) {
        assertThat(standard(peer, List.of(header.split("/"))).text()).isEqualTo(client);
    }

    /// T-236: a proxy that writes the one passes on what a client put into the other.
    @Test
    void the_standard_header_counts_only_where_the_usual_one_is_missing() {
        ClientAddress both =
                ClientAddress.of(
                        address("10.0.0.1"),
                        TRUSTED,
                        name ->
                                name.equals("Forwarded")
                                        ? List.of("for=1.1.1.1")
                                        : List.of("198.51.100.1"));
        assertThat(both.text()).isEqualTo("198.51.100.1");
    }

    /// T-236: whatever a client writes, what the last proxy wrote behind it decides.
    @Test
    void no_prefix_of_a_client_changes_what_the_proxy_wrote() {
        long seed = 20_260_401;
        var random = new Random(seed);
        String letters = "0123456789abcdefx:.,;=\"\\[]/% \tfor_-";
        for (int i = 0; i < 20_000; i++) {
            var junk = new StringBuilder();
            for (int n = random.nextInt(40); n > 0; n--) {
                junk.append(letters.charAt(random.nextInt(letters.length())));
            }
            String real = "198.51.100." + random.nextInt(256);
            assertThat(client("10.0.0.1", List.of(junk + ", " + real)).text())
                    .as("seed " + seed + ": " + junk)
                    .isEqualTo(real);
            assertThat(client("10.0.0.1", List.of(junk.toString(), real + ", 10.9.9.9")).text())
                    .as("seed " + seed + ": " + junk)
                    .isEqualTo(real);
            assertThat(standard("10.0.0.1", List.of(junk + ", for=" + real)).text())
                    .as("seed " + seed + ": " + junk)
                    .isEqualTo(real);
            assertThat(client("203.0.113.9", List.of(junk.toString())).text())
                    .isEqualTo("203.0.113.9");
        }
    }

    /// A random way through trusted proxies, read back.
    @Test
    void a_way_through_any_number_of_proxies_is_found() {
        long seed = 7;
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            String real = "2001:db8:" + Integer.toHexString(random.nextInt(65_536)) + "::5";
            var hops = new ArrayList<String>();
            for (int n = random.nextInt(3); n > 0; n--) {
                hops.add("1.2.3." + random.nextInt(256));
            }
            hops.add(random.nextBoolean() ? real : "[" + real + "]:80");
            for (int n = random.nextInt(5); n > 0; n--) {
                hops.add("10.1.1." + random.nextInt(256));
            }
            int cut = random.nextInt(hops.size());
            List<String> lines =
                    cut == 0
                            ? List.of(String.join(",", hops))
                            : List.of(
                                    String.join(", ", hops.subList(0, cut)),
                                    String.join(",", hops.subList(cut, hops.size())));
            assertThat(client("10.0.0.1", lines).text())
                    .as("seed " + seed + ": " + lines)
                    .isEqualTo(address(real).getHostAddress());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.1,               198.51.100.1",
        "::ffff:198.51.100.1,        198.51.100.1",
        "2001:db8:1:2:3:4:5:6,       2001:0db8:0001:0002::/64",
        "2001:db8:1:2:ffff:4:5:7,    2001:0db8:0001:0002::/64",
        "2001:db8:1:3::1,            2001:0db8:0001:0003::/64",
        "::1,                        0000:0000:0000:0000::/64"
    })
    void an_ipv6_subscriber_is_counted_as_one(String peer, String subject) {
        assertThat(client(peer, List.of()).limitSubject()).isEqualTo(subject);
    }

    @Test
    void where_there_is_no_peer_all_are_counted_together() {
        ClientAddress nobody = ClientAddress.of(null, TRUSTED, _ -> List.of("1.1.1.1"));
        assertThat(nobody.text()).isEmpty();
        assertThat(nobody.limitSubject()).isEqualTo("unknown");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,      10.255.255.255, true",
        "10.0.0.0/8,      11.0.0.0,       false",
        "10.0.0.0/8,      9.255.255.255,  false",
        "192.168.1.128/25, 192.168.1.128, true",
        "192.168.1.128/25, 192.168.1.127, false",
        "192.168.1.5,     192.168.1.5,    true",
        "192.168.1.5/32,  192.168.1.6,    false",
        "0.0.0.0/0,       203.0.113.9,    true",
        "0.0.0.0/0,       2001:db8::1,    false",
        "::/0,            203.0.113.9,    false",
        "2001:db8::/33,   2001:db8:7fff::1, true",
        "2001:db8::/33,   2001:db8:8000::1, false",
        "fd00::1,         fd00::1,        true",
        "10.0.0.0/8,      ::ffff:10.1.2.3, true",
    })
    void a_range_holds_what_shares_its_first_bits(String range, String address, boolean held) {
        assertThat(AddressRanges.of(range).contain(address(address))).isEqualTo(held);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "proxy",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                "10.0.0.1/8",
                "10.0/16",
                "10",
                "::/129",
                "fd00::1/8",
                "fe80::1%1",
                "::ffff:10.0.0.0/104",
                "10.0.0.0/8 192.168.0.0/16",
                "0x0a.0.0.0/8"
            })
    void what_is_no_range_is_told(String entry) {
        assertThat(AddressRanges.fault("192.0.2.1," + entry)).isEqualTo(entry.strip());
    }
}
