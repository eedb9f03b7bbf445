package io.orchestrion.runs.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;

/// Objects in a service that speaks S3: the contract of all stores, with a real server.
class S3StoreTest extends StoreContract {
    private static S3Proxy proxy;
    private S3Store store;

    @BeforeAll
    static void startServer() throws Exception {
        proxy = S3Proxy.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        proxy.close();
    }

    @BeforeEach
    void open() {
        store = new S3Store(proxy.options("some/prefix", S3Proxy.SECRET), failpoints);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    ObjectStore store() {
        return store;
    }

    @Test
    void stores_with_other_prefixes_do_not_see_each_other() throws IOException {
        put(key("one"), bytes(10));
        try (var other = new S3Store(proxy.options("other", S3Proxy.SECRET), failpoints)) {
            assertThat(other.list(null, 100).found()).isEmpty();
            assertThatThrownBy(() -> other.open(key("one"), 0, 10))
                    .isInstanceOf(ObjectStore.NoSuchObject.class);
        }
    }

    /// This server knows no encryption and says so as soon as a write asks for it.
    @Test
    void every_write_asks_for_encryption_at_rest() throws IOException {
        S3Options plain = proxy.options("sealed", S3Proxy.SECRET);
        try (var sealed = new S3Store(plain.withEncryption("AES256"), failpoints)) {
            for (int size : new int[] {10, 6 * 1024 * 1024}) {
                assertThatThrownBy(
                                () ->
                                        sealed.put(
                                                key("sealed"),
                                                new ByteArrayInputStream(bytes(size))))
                        .hasMessageContaining("Server-side encryption");
            }
            assertThat(sealed.list(null, 100).found()).isEmpty();
        }
    }

    /// The client sends the request again, and the service says that the key is taken.
    @Test
    void a_write_whose_answer_got_lost_is_no_other_write() throws IOException {
        S3Options plain = proxy.options("lost", S3Proxy.SECRET);
        URI service = Objects.requireNonNull(plain.endpoint());
        // The last answer of a write of two parts is the fourth.
        for (int[] sizeAndAnswer : new int[][] {{10, 1}, {6 * 1024 * 1024, 4}}) {
            ObjectKey key = key("lost" + sizeAndAnswer[0]);
            byte[] content = bytes(sizeAndAnswer[0]);
            try (var losing = new LosingProxy(service, sizeAndAnswer[1]);
                    var lossy = new S3Store(plain.withEndpoint(losing.address()), failpoints)) {
                assertThat(lossy.put(key, new ByteArrayInputStream(content)).size())
                        .isEqualTo(content.length);
                assertThat(losing.hasLost()).isTrue();
                assertThat(lossy.open(key, 0, content.length).readAllBytes()).isEqualTo(content);
                assertThatThrownBy(() -> lossy.put(key, new ByteArrayInputStream(content)))
                        .isInstanceOf(ObjectStore.KeyTaken.class);
            }
        }
    }

    @Test
    void a_service_that_refuses_is_a_fault_of_the_store() {
        try (var other = new S3Store(proxy.options("other", "wrong"), failpoints)) {
            assertThatThrownBy(() -> other.open(key("one"), 0, 10))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(ObjectStore.NoSuchObject.class)
                    .hasMessageContaining("object service failed");
        }
    }
}
