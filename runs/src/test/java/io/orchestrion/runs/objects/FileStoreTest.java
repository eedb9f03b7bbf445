package io.orchestrion.runs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Objects in files: the contract of all stores, and how they lie in the folder.
class FileStoreTest extends StoreContract {
    @TempDir Path folder;
    private ObjectStore store;

    @BeforeEach
    void open() throws IOException {
        store = another();
    }

    private ObjectStore another() throws IOException {
        return FileStore.in(
                folder.resolve("artifacts"),
                folder.resolve("artifacts.key"),
                new Random(),
                failpoints);
    }

    @Override
    ObjectStore store() {
        return store;
    }

    private Path only() throws IOException {
        try (var files = Files.walk(folder.resolve("artifacts"))) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }

    ///
    @Test
    void the_stored_bytes_do_not_show_the_content() throws IOException {
        byte[] content =
                "This sentence is a secret. ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        put(key("secret"), content);
        String stored = Files.readString(only(), StandardCharsets.ISO_8859_1);
        assertThat(stored).doesNotContain("sentence").doesNotContain("secret");
        assertThat(stored.length()).isGreaterThan(content.length);

        byte[] first = Files.readAllBytes(only());
        store.remove(key("secret"));
        put(key("secret"), content);
        assertThat(Files.readAllBytes(only())).isNotEqualTo(first);
    }

    @Test
    void only_the_owner_can_read_the_key_and_the_files() throws IOException {
        put(key("one"), bytes(10));
        for (Path file : List.of(folder.resolve("artifacts.key"), only())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        Files.setPosixFilePermissions(
                folder.resolve("artifacts.key"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(this::another).hasMessageContaining("others than its owner");
    }

    @Test
    void nodes_that_share_the_folder_share_key_and_objects() throws IOException {
        byte[] content = bytes(100_000);
        put(key("shared"), content);
        try (ObjectStore other = another();
                var in = other.open(key("shared"), 0, content.length)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
    }

    @Test
    void another_key_opens_nothing() throws IOException {
        put(key("mine"), bytes(10));
        Files.delete(folder.resolve("artifacts.key"));
        store = another();
        assertThatThrownBy(() -> read(key("mine"), 0, 10)).hasMessageContaining("another key");
    }

    @Test
    void a_key_file_with_something_else_in_it_is_refused() throws IOException {
        for (String text : List.of("", "abcd", "zz".repeat(32))) {
            Files.writeString(folder.resolve("artifacts.key"), text);
            assertThatThrownBy(this::another).hasMessageContaining("holds no key");
        }
    }

    /// Each change that somebody without the key could make to a file.
    @Test
    void a_file_that_was_changed_is_refused() throws IOException {
        int size = 2 * SealedFile.CHUNK_BYTES + 100;
        put(key("changed"), bytes(size));
        Path file = only();
        byte[] whole = Files.readAllBytes(file);
        int sealed = SealedFile.SEALED_BYTES;
        int header = SealedFile.HEADER_BYTES;

        for (int at : new int[] {0, 10, header, header + sealed - 1, whole.length - 1}) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            assertRefused(file, flipped, size);
        }
        byte[] swapped = whole.clone();
        System.arraycopy(whole, header, swapped, header + sealed, sealed);
        System.arraycopy(whole, header + sealed, swapped, header, sealed);
        assertRefused(file, swapped, size);

        byte[] cut = Arrays.copyOf(whole, header + 2 * sealed);
        assertRefused(file, cut, 2 * SealedFile.CHUNK_BYTES);
        assertRefused(file, Arrays.copyOf(whole, header), 0);
        assertRefused(file, new byte[0], 0);
    }

    private void assertRefused(Path file, byte[] content, int size) throws IOException {
        Files.write(file, content);
        assertThatThrownBy(() -> read(key("changed"), 0, size)).isInstanceOf(IOException.class);
    }

    @Test
    void a_file_under_another_name_is_refused() throws IOException {
        put(key("one"), bytes(10));
        Path one = only();
        put(key("two"), bytes(10));
        byte[] content = Files.readAllBytes(one);
        store.remove(key("one"));
        Files.write(only(), content);
        assertThatThrownBy(() -> read(key("two"), 0, 10)).isInstanceOf(IOException.class);
    }

    @Test
    void files_of_others_are_passed_over() throws IOException {
        put(key("one"), bytes(10));
        Files.writeString(only().resolveSibling("README.txt"), "hello");
        Files.writeString(folder.resolve("artifacts/unfinished/x"), "hello");
        assertThat(found()).containsExactly(new ObjectStore.Found(key("one"), true));
    }
}
