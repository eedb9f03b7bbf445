package io.orchestrion.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.tools.Terminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

class BannerTest {
    private static Banner banner(String host, String keyFile) {
        return new Banner(
                new ProductVersion("1.2.3", "a1b2c3d"),
                host,
                8080,
                "/home/me/.orchestrion",
                "PostgreSQL 18.6, embedded on port 5433",
                keyFile,
                812);
    }

    @Test
    void without_colour_it_is_plain_aligned_text() {
        assertThat(banner("127.0.0.1", "/home/me/.orchestrion/local.key").render(Terminal.PLAIN))
                .isEqualTo(
                        """

                          Orchestrion 1.2.3 (a1b2c3d)  ready in 812 ms

                          address    http://127.0.0.1:8080
                          database   PostgreSQL 18.6, embedded on port 5433
                          data       /home/me/.orchestrion
                          key file   /home/me/.orchestrion/local.key

                          Hand in a first task:
                            curl -s http://127.0.0.1:8080/v1/tasks -H "Authorization: Bearer $(cat /home/me/.orchestrion/local.key)" -H 'Content-Type: application/json' -d '{"type":"hello","payload":{"name":"world"}}'

                          Ctrl-C stops the server.
                        """);
    }

    @Test
    void colour_adds_nothing_but_codes() {
        String coloured = banner("127.0.0.1", "/k").render(new Terminal(true, true));
        assertThat(coloured).contains("\u001b[");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(banner("127.0.0.1", "/k").render(Terminal.PLAIN));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:8080",
        "0.0.0.0, http://127.0.0.1:8080",
        "::, http://127.0.0.1:8080",
        "::1, http://[::1]:8080",
        "example.org, http://example.org:8080",
    })
    void the_address_is_one_that_can_be_called(String host, String url) {
        assertThat(banner(host, "/k").url()).isEqualTo(url);
    }

    @Test
    void a_key_file_with_blanks_is_quoted_for_the_shell() {
        assertThat(banner("127.0.0.1", "/my data/it's").tryIt())
                .contains("$(cat '/my data/it'\\''s')");
    }

    @ParameterizedTest
    @CsvSource({
        // terminals, NO_COLOR, TERM, live, colour
        "12, '', xterm, true, true",
        "12, 1, xterm, true, false",
        "12, '', dumb, false, false",
        "1, '', xterm, false, true",
        "2, '', xterm, true, false",
        "'', '', xterm, false, false",
    })
    void colours_are_for_terminals_that_want_them(
            String terminals, String noColor, String term, boolean live, boolean colour) {
        assertThat(Terminal.of(terminals, Map.of("NO_COLOR", noColor, "TERM", term)))
                .isEqualTo(new Terminal(live, colour));
    }
}
