package io.orchestrion.runs.objects;

import io.orchestrion.kernel.fault.Failpoints;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Objects as encrypted files in a folder. Nodes that share the folder and the key file share the
/// objects.
///
/// A file is written under another name, made durable, and only then linked under its own; a name
/// that is taken refuses the link. So there is never half an object.
public final class FileStore implements ObjectStore {
    private static final int FOLDERS = 256;
    private static final char SLASH = '_';
    private static final char RANDOM_PART = '~';

    private final Path objects;
    private final Path unfinished;
    private final StoreKey key;
    private final RandomGenerator random;
    private final Failpoints failpoints;

    private FileStore(Path folder, StoreKey key, RandomGenerator random, Failpoints failpoints) {
        this.objects = folder.resolve("objects");
        this.unfinished = folder.resolve("unfinished");
        this.key = key;
        this.random = random;
        this.failpoints = failpoints;
    }

    /// @param folder is made when it is missing, for its owner alone
    /// @param keyFile holds the secret that everything is encrypted with; made when it is missing
    /// @param random makes that secret
    public static FileStore in(
            Path folder, Path keyFile, RandomGenerator random, Failpoints failpoints)
            throws IOException {
        makeFolder(folder);
        makeFolder(StoreKey.folder(keyFile));
        var store = new FileStore(folder, StoreKey.in(keyFile, random), random, failpoints);
        makeFolder(store.unfinished);
        for (int i = 0; i < FOLDERS; i++) {
            makeFolder(store.folder(i));
        }
        return store;
    }

    private static void makeFolder(Path folder) throws IOException {
        Files.createDirectories(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private Path folder(int number) {
        return objects.resolve("%02x".formatted(number));
    }

    private static int folderNumber(ObjectKey key) {
        return Math.floorMod(key.text().hashCode(), FOLDERS);
    }

    private static String name(ObjectKey key) {
        return key.text().replace('/', SLASH);
    }

    private Path file(ObjectKey key) {
        return folder(folderNumber(key)).resolve(name(key));
    }

    @Override
    public Written put(ObjectKey key, InputStream source) throws IOException {
        Path file = file(key);
        if (Files.exists(file)) {
            throw new KeyTaken(key);
        }
        Path draft =
                unfinished.resolve(name(key) + RANDOM_PART + Long.toHexString(random.nextLong()));
        try {
            Written written = write(key, draft, source);
            failpoints.hit("object.file-written");
            try {
                Files.createLink(file, draft);
            } catch (FileAlreadyExistsException e) {
                throw new KeyTaken(key);
            }
            force(folder(folderNumber(key)));
            failpoints.hit("object.file-linked");
            return written;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private Written write(ObjectKey key, Path draft, InputStream source) throws IOException {
        byte[] salt = new byte[SealedFile.SALT_BYTES];
        random.nextBytes(salt);
        SealedFile.Chunks chunks = SealedFile.Chunks.sealing(this.key.ofFile(salt, key));
        var sha256 = new Sha256();
        byte[] content = new byte[SealedFile.CHUNK_BYTES];
        byte[] sealed = new byte[SealedFile.SEALED_BYTES];
        long size = 0;
        try (FileChannel out =
                FileChannel.open(
                        draft,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            writeAll(out, SealedFile.header(salt), SealedFile.HEADER_BYTES);
            int first = source.read();
            long chunk = 0;
            boolean more;
            do {
                // A byte is read ahead, because the last chunk must be known as such.
                int filled = 0;
                if (first >= 0) {
                    content[0] = (byte) first;
                    filled = 1 + source.readNBytes(content, 1, content.length - 1);
                    first = filled == content.length ? source.read() : -1;
                }
                more = first >= 0;
                sha256.add(content, 0, filled);
                size += filled;
                writeAll(out, sealed, chunks.turn(chunk++, !more, content, filled, sealed));
                failpoints.hit("object.chunk-written");
            } while (more);
            out.force(true);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a chunk could not be sealed", e);
        }
        return new Written(size, sha256.hex());
    }

    private static void writeAll(FileChannel out, byte[] bytes, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
    }

    /// Makes the names in a folder durable.
    static void force(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    @Override
    public InputStream open(ObjectKey key, long from, long length) throws IOException {
        FileChannel file;
        try {
            file = FileChannel.open(file(key), StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            throw new NoSuchObject(key);
        }
        try {
            ByteBuffer header = ByteBuffer.allocate(SealedFile.HEADER_BYTES);
            boolean more = true;
            while (more && header.hasRemaining()) {
                more = file.read(header) > 0;
            }
            byte[] salt = SealedFile.salt(header.array());
            if (salt.length == 0 || from + length > SealedFile.contentBytes(file.size())) {
                throw new IOException("the file of " + key + " is not what was written");
            }
            return new SealedContent(
                    key, file, SealedFile.Chunks.opening(this.key.ofFile(salt, key)), from, length);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public void remove(ObjectKey key) throws IOException {
        Files.deleteIfExists(file(key));
        removeUnfinished(key);
    }

    @Override
    public void removeUnfinished(ObjectKey key) throws IOException {
        try (DirectoryStream<Path> drafts =
                Files.newDirectoryStream(unfinished, name(key) + RANDOM_PART + "*")) {
            for (Path draft : drafts) {
                Files.deleteIfExists(draft);
            }
        }
    }

    /// Folder after folder, each by name; last what is unfinished.
    @Override
    public Page list(@Nullable String at, int most) throws IOException {
        int number = at == null ? 0 : Integer.parseInt(at.substring(0, at.indexOf('/')));
        String after = at == null ? "" : at.substring(at.indexOf('/') + 1);
        var found = new ArrayList<Found>();
        while (number <= FOLDERS) {
            boolean finished = number < FOLDERS;
            for (String name : names(finished ? folder(number) : unfinished, after)) {
                if (found.size() >= most) {
                    return new Page(found, number + "/" + after);
                }
                after = name;
                int end = finished ? name.length() : name.lastIndexOf(RANDOM_PART);
                String text = end < 0 ? "" : name.substring(0, end).replace(SLASH, '/');
                // Others may have put files of their own there.
                if (ObjectKey.isOne(text)) {
                    found.add(new Found(new ObjectKey(text), finished));
                }
            }
            number++;
            after = "";
        }
        return new Page(found, null);
    }

    private static List<String> names(Path folder, String after) throws IOException {
        var names = new ArrayList<String>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (name.compareTo(after) > 0) {
                    names.add(name);
                }
            }
        }
        names.sort(null);
        return names;
    }

    @Override
    public int bufferBytes() {
        return SealedFile.CHUNK_BYTES + SealedFile.SEALED_BYTES;
    }
}
