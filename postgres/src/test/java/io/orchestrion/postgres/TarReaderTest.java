package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

class TarReaderTest {
    @TempDir Path folder;

    @Test
    void files_folders_links_and_modes_come_out_as_they_went_in() throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        entry(tar, '5', "./bin/", "", "", 0755);
        entry(tar, '0', "./bin/tool", "", "run me", 0700);
        entry(tar, '2', "lib/current", "../bin/tool", "", 0777);
        entry(tar, 'L', "././@LongLink", "", "a/" + "n".repeat(150), 0644);
        entry(tar, '0', "cut short", "", "long", 0600);
        TarReader.unpack(new ByteArrayInputStream(tar.toByteArray()), folder);
        assertThat(folder.resolve("bin/tool")).hasContent("run me").isExecutable();
        assertThat(Files.readSymbolicLink(folder.resolve("lib/current")))
                .hasToString("../bin/tool");
        assertThat(folder.resolve("a/" + "n".repeat(150))).hasContent("long");
        assertThat(Files.isExecutable(folder.resolve("a/" + "n".repeat(150)))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, ../out, ''",
        "0, /tmp/out, ''",
        "0, a/../../out, ''",
        "2, link, /etc",
        "2, link, ../..",
        "1, link, ../out",
        "3, device, ''"
    })
    void what_points_outside_or_is_no_plain_thing_is_refused(char kind, String name, String link)
            throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        entry(tar, kind, name, link, "", 0644);
        Path target = Files.createDirectory(folder.resolve("target"));
        assertThatThrownBy(
                        () -> TarReader.unpack(new ByteArrayInputStream(tar.toByteArray()), target))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("tar entry");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void an_archive_that_ends_in_the_middle_of_a_file_is_refused() throws Exception {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        entry(tar, '0', "file", "", "x".repeat(2000), 0644);
        byte[] cut = Arrays.copyOf(tar.toByteArray(), 1000);
        assertThatThrownBy(() -> TarReader.unpack(new ByteArrayInputStream(cut), folder))
                .isInstanceOf(IOException.class);
    }

    private static void entry(
            ByteArrayOutputStream tar,
            char kind,
            String name,
            String link,
            String content,
            int mode) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, String.format("%07o", mode));
        put(header, 124, String.format("%011o", content.length()));
        header[156] = (byte) kind;
        put(header, 157, link);
        put(header, 257, "ustar");
        tar.writeBytes(header);
        byte[] body = new byte[(content.length() + 511) / 512 * 512];
        put(body, 0, content);
        tar.writeBytes(body);
    }

    private static void put(byte[] into, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, into, at, bytes.length);
    }
}
