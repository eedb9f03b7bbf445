package io.orchestrion.runs.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Which names artifacts may have.
class ArtifactNameTest {
    private static final List<String> GOOD =
            List.of(
                    "a",
                    "report.txt",
                    "Bericht über Äpfel.pdf",
                    "報告書.txt",
                    "🚀.png",
                    ".env",
                    "...a",
                    "a b c",
                    "100%.txt",
                    "%2e%2e%2fetc%2fpasswd",
                    "-rf",
                    "~root",
                    "$HOME",
                    "a;b&c",
                    "it's",
                    "console",
                    "con-1",
                    "com10",
                    "common.txt",
                    "null",
                    "a.con",
                    "x".repeat(255));

    private static final List<String> BAD =
            List.of(
                    "",
                    ".",
                    "..",
                    "...",
                    "../a",
                    "../../../../etc/passwd",
                    "..\\..\\windows",
                    "/etc/passwd",
                    "\\\\host\\share",
                    "C:\\a",
                    "C:a",
                    "file:a",
                    "a/b",
                    "a/../b",
                    "a\\b",
                    "a/",
                    "a:stream",
                    "a*",
                    "a?",
                    "a?b=c",
                    "<script>",
                    "a|b",
                    "\"a\"",
                    "a\u0000.txt",
                    "a\nb",
                    "a\rb",
                    "a\r\nSet-Cookie: x=1",
                    "a\tb",
                    "\u001b[2J",
                    "a\u007f",
                    "a\u0085b",
                    "a\u2028b",
                    "a\u2029b",
                    "txt.exe\u202eslx",
                    "a\u200bb",
                    "a\u200d",
                    "\ufeffa",
                    "a\u2066b",
                    "\ud800",
                    "a\udc00b",
                    "\ue000",
                    "\uffff",
                    "CON",
                    "nul",
                    "Aux.txt",
                    "prn.tar.gz",
                    "com1",
                    "COM\u00b9",
                    "lpt9.log",
                    "nul .txt",
                    "conin$",
                    " a",
                    "a ",
                    " ",
                    "\u00a0a",
                    "a\u3000",
                    "a.",
                    "a. .",
                    "x".repeat(256),
                    "ä".repeat(128));

    @Test
    void names_that_files_can_have_are_taken() {
        for (String name : GOOD) {
            assertThat(ArtifactName.fault(name)).as(name).isNull();
        }
    }

    @Test
    void names_that_lead_elsewhere_or_look_like_others_are_refused() {
        for (String name : BAD) {
            assertThat(ArtifactName.fault(name)).as("[%s]", name).isNotNull();
        }
    }

    @Test
    void two_ways_to_write_a_name_are_one_name() {
        assertThat(ArtifactName.normal("a\u0308")).isEqualTo("\u00e4");
    }
}
