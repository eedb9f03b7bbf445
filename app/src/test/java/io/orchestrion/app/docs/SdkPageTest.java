package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Folders;

import org.junit.jupiter.api.Test;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// The Java lines of docs/guides/sdk.md compile against the SDK as it is.
class SdkPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("orchestrion.root"), "docs", "guides", "sdk.md");
    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\n(.*?)^```");

    /// Each block is the body of a method, which is given what the page takes for granted.
    private static String source(List<String> blocks) {
        var source =
                new StringBuilder(
                        """
                        import io.orchestrion.sdk.*;
                        import io.orchestrion.sdk.definition.*;
                        import io.orchestrion.sdk.plan.*;
                        import java.net.URI;
                        import java.time.Duration;
                        import java.util.List;

                        class SdkPage {
                        """);
        for (int i = 0; i < blocks.size(); i++) {
            source.append("void block").append(i);
            // Not named client in the first block, which makes its own.
            source.append(
                    blocks.get(i).contains("var client")
                            ? "(String key) throws Exception {\n"
                            : "(OrchestrionClient client, String cursor) throws Exception {\n");
            source.append(blocks.get(i)).append("}\n");
        }
        return source.append("}\n").toString();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///SdkPage.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    @Test
    void every_java_block_of_the_page_compiles() throws Exception {
        List<String> blocks =
                JAVA.matcher(Files.readString(PAGE))
                        .results()
                        .map(block -> block.group(1))
                        .toList();
        assertThat(blocks).hasSizeGreaterThan(4);
        Path classes = Folders.temporary("orchestrion-sdk-page-");
        try {
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            var said = new StringWriter();
            boolean compiled =
                    compiler.getTask(
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
                                    List.of(new Source(source(blocks))))
                            .call();
            assertThat(compiled).as(said.toString()).isTrue();
        } finally {
            Folders.delete(classes);
        }
    }
}
