package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// The examples in the comments of the SDK compile.
class ExamplesTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("orchestrion.root"), "sdk/src/main/java");
    private static final Pattern EXAMPLE =
            Pattern.compile("(?ms)^ */// ```java\n(.*?)^ */// ```\n");

    private static List<String> examples() throws IOException {
        var examples = new ArrayList<String>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                EXAMPLE.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1).replaceAll("(?m)^ *///", ""))
                        .forEach(examples::add);
            }
        }
        return examples;
    }

    /// Each example is the body of a method. Its parameters are what examples take for granted.
    private static String source(List<String> examples) {
        var source =
                new StringBuilder(
                        """
                        import io.orchestrion.sdk.*;
                        import io.orchestrion.sdk.definition.*;
                        import io.orchestrion.sdk.plan.*;
                        import java.net.URI;
                        import java.net.http.*;
                        import java.nio.file.*;
                        import java.time.*;
                        import java.util.*;

                        class Examples {
                        """);
        for (int i = 0; i < examples.size(); i++) {
            String example = examples.get(i);
            source.append("void example").append(i).append("(String key, UUID id, ");
            if (!example.contains("var client")) {
                source.append("OrchestrionClient client, ");
            }
            source.append("ClaimedTask claimed, ClaimedJob held, TaskContext context, ")
                    .append("Map<String, String> headers, byte[] message, Exception e, ")
                    .append("String document, UUID definitionId, HttpClient http) ")
                    .append("throws Exception {\n")
                    .append(example)
                    .append("}\n");
        }
        return source.append("}\n").toString();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Examples.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    @Test
    void every_example_compiles(@TempDir Path classes) throws IOException {
        List<String> examples = examples();
        assertThat(examples).hasSizeGreaterThan(40);
        var said = new StringWriter();
        boolean compiled =
                ToolProvider.getSystemJavaCompiler()
                        .getTask(
                                said,
                                null,
                                null,
                                List.of(
                                        "-d",
                                        classes.toString(),
                                        "-proc:none",
                                        "-classpath",
                                        System.getProperty("java.class.path")),
                                null,
                                List.of(new Source(source(examples))))
                        .call();
        assertThat(compiled).as(said.toString()).isTrue();
    }
}
