package io.orchestrion.runs.objects;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// Objects that are written once and never changed. Nothing of the size of an object is ever held
/// in memory. Every method may be called by many threads, and by several nodes on the same store.
public interface ObjectStore extends AutoCloseable {
    /// What was written.
    ///
    /// @param sha256 of the content, in hexadecimal
    record Written(long size, String sha256) {}

    /// What was found in the store.
    ///
    /// @param finished false for what is left of a write that has not ended
    record Found(ObjectKey key, boolean finished) {}

    /// @param next where the next page begins; null after the last
    record Page(List<Found> found, @Nullable String next) {}

    /// Writes all of the source and returns when it is durable. Whatever the source throws is
    /// passed on, and nothing is left of the object then.
    ///
    /// @throws KeyTaken when there is an object with this key; it stays as it is
    Written put(ObjectKey key, InputStream source) throws IOException;

    /// A part of the content. It can be read to its end also when the object is removed meanwhile.
    ///
    /// @param from the first byte
    /// @param length how many; the object has as many from there on
    /// @throws NoSuchObject when there is none
    InputStream open(ObjectKey key, long from, long length) throws IOException;

    /// Removes the object and what is left of writes of it. It is no fault when nothing is there.
    void remove(ObjectKey key) throws IOException;

    /// Removes what is left of writes that have not ended, and keeps the object.
    void removeUnfinished(ObjectKey key) throws IOException;

    /// Some of what the store holds, in an order of its own that does not change between pages.
    ///
    /// @param at the `next` of the page before; null for the first
    /// @param most about so many; a page may be empty and still have a next one
    Page list(@Nullable String at, int most) throws IOException;

    /// How much memory one write takes, and one reading at the most.
    int bufferBytes();

    @Override
    default void close() {}

    /// There is an object with the key already.
    final class KeyTaken extends IOException {
        private static final long serialVersionUID = 1;

        public KeyTaken(ObjectKey key) {
            super("the key is taken: " + key);
        }
    }

    /// No object has the key.
    final class NoSuchObject extends IOException {
        private static final long serialVersionUID = 1;

        public NoSuchObject(ObjectKey key) {
            super("there is no object " + key);
        }
    }
}
