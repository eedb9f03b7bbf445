package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What `/v1` has once published stays: `v1-contract.txt` names every action code, error code and
/// field of the contract there has been. A name that is new is added to it with
/// `-Dorchestrion.generate=true`, and is kept from then on; none is ever taken out.
class StabilityTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("orchestrion.root", ".."))
                    .resolve(
                            "server/src/test/resources/io/orchestrion/server/tasks/v1-contract.txt");

    private static List<String> current() {
        return Stream.of(
                        Arrays.stream(NextAction.Code.values())
                                .map(code -> "action " + code.word()),
                        Arrays.stream(TaskError.values()).map(error -> "error " + error.code()),
                        fields("contract ", TaskSpecs.CONTRACT),
                        fields("next_action ", TaskSpecs.ACTION),
                        fields("error_body ", TaskSpecs.ERROR_ANSWER))
                .flatMap(each -> each)
                .toList();
    }

    private static Stream<String> fields(String prefix, ObjectSpec spec) {
        return spec.fields().stream().map(Field::name).map(prefix::concat);
    }

    private static List<String> gone(List<String> published, List<String> current) {
        return published.stream().filter(name -> !current.contains(name)).toList();
    }

    /// T-293.
    @Test
    void nothing_that_was_published_is_gone() throws IOException {
        if (Boolean.getBoolean("orchestrion.generate")) {
            var all = new TreeSet<>(current());
            if (Files.exists(GOLDEN)) {
                all.addAll(Files.readAllLines(GOLDEN));
            }
            Files.write(GOLDEN, all);
        }
        List<String> published = Files.readAllLines(GOLDEN);
        assertThat(published)
                .contains("action create_task", "error rate_limited", "contract lease_valid");
        assertThat(gone(published, current()))
                .as("published in /v1 and gone: put it back, or make a /v2")
                .isEmpty();
    }

    /// T-293: a name taken away or changed is seen, one more is not minded.
    @Test
    void the_comparison_sees_what_is_gone_and_lets_additions_pass() {
        List<String> published = List.of("action a", "error b", "contract c");
        assertThat(gone(published, List.of("action a", "error b", "contract c"))).isEmpty();
        assertThat(gone(published, List.of("action a", "error b", "contract c", "error d")))
                .isEmpty();
        assertThat(gone(published, List.of("action a", "contract c"))).containsExactly("error b");
        assertThat(gone(published, List.of("action renamed", "error b", "contract c")))
                .containsExactly("action a");
        // The same word as another kind of name does not stand in for it.
        assertThat(gone(published, List.of("action a", "action b", "contract c")))
                .containsExactly("error b");
    }
}
