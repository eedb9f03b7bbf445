package io.orchestrion.runs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.runs.objects.ObjectStore.Found;
import io.orchestrion.runs.objects.ObjectStore.KeyTaken;
import io.orchestrion.runs.objects.ObjectStore.NoSuchObject;
import io.orchestrion.runs.objects.ObjectStore.Page;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What every store does. One class for each store runs it.
abstract class StoreContract {
    /// Around the size of a chunk of files and of a part of S3, and nothing at all.
    private static final List<Integer> SIZES =
            List.of(
                    0,
                    1,
                    SealedFile.CHUNK_BYTES - 1,
                    SealedFile.CHUNK_BYTES,
                    SealedFile.CHUNK_BYTES + 1,
                    3 * SealedFile.CHUNK_BYTES,
                    5 * 1024 * 1024 - 1,
                    5 * 1024 * 1024,
                    5 * 1024 * 1024 + 1,
                    11 * 1024 * 1024);

    final Failpoints failpoints = new Failpoints();

    abstract ObjectStore store();

    /// Each test has keys of its own, as they may share a store.
    private final String mine = UUID.randomUUID().toString();

    final ObjectKey key(String name) {
        return new ObjectKey(mine + "/" + name);
    }

    static byte[] bytes(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    final ObjectStore.Written put(ObjectKey key, byte[] content) throws IOException {
        return store().put(key, new ByteArrayInputStream(content));
    }

    final byte[] read(ObjectKey key, long from, long length) throws IOException {
        try (InputStream in = store().open(key, from, length)) {
            return in.readAllBytes();
        }
    }

    static String sha256(byte[] content) {
        var sha256 = new Sha256();
        sha256.add(content, 0, content.length);
        return sha256.hex();
    }

    final List<Found> found() throws IOException {
        var all = new ArrayList<Found>();
        @Nullable String at = null;
        do {
            Page page = store().list(at, 3);
            page.found().stream()
                    .filter(each -> each.key().text().startsWith(mine))
                    .forEach(all::add);
            at = page.next();
        } while (at != null);
        return all;
    }

    @Test
    void what_is_read_is_what_was_written_whatever_its_size() throws IOException {
        for (int size : SIZES) {
            ObjectKey key = key("size-" + size);
            byte[] content = bytes(size);
            var written = put(key, content);
            assertThat(written.size()).isEqualTo(size);
            assertThat(written.sha256()).isEqualTo(sha256(content));
            assertThat(read(key, 0, size)).as("size %d", size).isEqualTo(content);
            try (var checked =
                    new CheckedContent(store().open(key, 0, size), key, size, written.sha256())) {
                assertThat(checked.readAllBytes()).isEqualTo(content);
            }
        }
    }

    @Test
    void any_part_can_be_read_by_itself() throws IOException {
        int size = 4 * SealedFile.CHUNK_BYTES + 17;
        byte[] content = bytes(size);
        ObjectKey key = key("parts");
        put(key, content);
        int chunk = SealedFile.CHUNK_BYTES;
        int[][] ranges = {
            {0, 1}, {size - 1, 1}, {chunk - 1, 2}, {chunk, chunk}, {chunk + 1, 2 * chunk},
            {0, size}, {1, size - 1}, {4 * chunk, 17}, {3 * chunk + 5, chunk + 12}, {7, 0}
        };
        for (int[] range : ranges) {
            assertThat(read(key, range[0], range[1]))
                    .as("from %d, %d bytes", range[0], range[1])
                    .isEqualTo(Arrays.copyOfRange(content, range[0], range[0] + range[1]));
        }
    }

    ///
    @Test
    void a_key_is_never_written_a_second_time() throws IOException {
        for (int size : List.of(10, 6 * 1024 * 1024)) {
            ObjectKey key = key("once-" + size);
            byte[] first = bytes(size);
            put(key, first);
            assertThatThrownBy(() -> put(key, bytes(size + 1))).isInstanceOf(KeyTaken.class);
            assertThat(read(key, 0, size)).isEqualTo(first);
        }
        assertThat(found()).hasSize(2).allMatch(Found::finished);
    }

    ///
    @Test
    void of_many_writes_of_one_key_at_once_one_succeeds() throws Exception {
        ObjectKey key = key("race");
        var results = new ArrayList<Future<Boolean>>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                byte[] content = bytes(1000 + i);
                results.add(
                        threads.submit(
                                () -> {
                                    try {
                                        put(key, content);
                                        return true;
                                    } catch (KeyTaken e) {
                                        return false;
                                    }
                                }));
            }
        }
        int written = 0;
        for (Future<Boolean> each : results) {
            written += each.get() ? 1 : 0;
        }
        assertThat(written).isOne();
        assertThat(found()).containsExactly(new Found(key, true));
    }

    /// Fails after so many bytes.
    static InputStream failingAfter(int bytes) {
        return new FilterInputStream(new ByteArrayInputStream(bytes(bytes))) {
            @Override
            public int read() throws IOException {
                int next = super.read();
                if (next < 0) {
                    throw new IOException("the client is gone");
                }
                return next;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int n = super.read(into, offset, length);
                if (n < 0) {
                    throw new IOException("the client is gone");
                }
                return n;
            }
        };
    }

    ///
    @Test
    void nothing_is_left_of_a_write_whose_source_fails() throws IOException {
        for (int size : List.of(0, 100, 200_000, 12 * 1024 * 1024)) {
            ObjectKey key = key("broken-" + size);
            assertThatThrownBy(() -> store().put(key, failingAfter(size)))
                    .hasMessage("the client is gone");
            assertThatThrownBy(() -> read(key, 0, 1)).isInstanceOf(NoSuchObject.class);
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void an_object_that_is_not_there_is_told_from_one_that_cannot_be_read() throws IOException {
        ObjectKey key = key("gone");
        assertThatThrownBy(() -> store().open(key, 0, 1)).isInstanceOf(NoSuchObject.class);
        put(key, bytes(10));
        store().remove(key);
        assertThatThrownBy(() -> store().open(key, 0, 1)).isInstanceOf(NoSuchObject.class);
        store().remove(key);
    }

    ///
    @Test
    void a_reading_that_was_begun_goes_on_after_the_removal() throws IOException {
        byte[] content = bytes(9 * 1024 * 1024);
        ObjectKey key = key("read-on");
        put(key, content);
        try (InputStream in = store().open(key, 0, content.length)) {
            byte[] start = in.readNBytes(1000);
            store().remove(key);
            byte[] rest = in.readAllBytes();
            assertThat(start).isEqualTo(Arrays.copyOf(content, 1000));
            assertThat(rest).isEqualTo(Arrays.copyOfRange(content, 1000, content.length));
        }
        assertThat(found()).isEmpty();
    }

    @Test
    void all_objects_are_found_page_by_page() throws IOException {
        var keys = new ArrayList<Found>();
        for (int i = 0; i < 10; i++) {
            ObjectKey key = key("listed/" + UUID.randomUUID());
            put(key, bytes(i));
            keys.add(new Found(key, true));
        }
        assertThat(found()).containsExactlyInAnyOrderElementsOf(keys);
        store().remove(keys.getFirst().key());
        assertThat(found()).containsExactlyInAnyOrderElementsOf(keys.subList(1, 10));
    }

    /// What a killed process leaves is what a process leaves that never goes on.
    @Test
    void what_is_left_of_a_write_that_never_ended_is_found_and_removed() throws Exception {
        ObjectKey kept = key("kept");
        put(kept, bytes(10));
        for (boolean object : new boolean[] {true, false}) {
            ObjectKey key = key("killed-" + object);
            var source = new StalledSource(bytes(12 * 1024 * 1024));
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            store().put(key, source);
                                        } catch (IOException e) {
                                            // Its draft is taken away under it.
                                        }
                                    });
            source.stalled.acquire();
            assertThat(found()).contains(new Found(key, false));
            if (object) {
                store().remove(key);
            } else {
                store().removeUnfinished(key);
            }
            assertThat(found()).containsExactly(new Found(kept, true));
            source.goOn.release();
            writer.join();
            store().remove(key);
            assertThat(found()).containsExactly(new Found(kept, true));
        }
    }

    @Test
    void damaged_content_never_looks_whole() throws IOException {
        ObjectKey key = key("damaged");
        byte[] content = bytes(100_000);
        put(key, content);
        for (String wrong : List.of(sha256(bytes(5)), sha256(new byte[100_000]))) {
            try (var checked =
                    new CheckedContent(store().open(key, 0, 100_000), key, 100_000, wrong)) {
                assertThatThrownBy(checked::readAllBytes).hasMessageContaining("not what was");
            }
        }
        try (var checked =
                new CheckedContent(store().open(key, 0, 99_999), key, 100_000, sha256(content))) {
            assertThatThrownBy(checked::readAllBytes).hasMessageContaining("not what was");
        }
    }
}
