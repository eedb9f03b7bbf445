package io.orchestrion.postgres;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// Unpacks a tar stream: plain files, folders, links and their modes, which is all the PostgreSQL
/// archives hold. A name or link that points outside the target folder is refused, and so is any
/// entry of a kind not listed here.
final class TarReader {
    private static final int BLOCK = 512;

    private final InputStream in;
    private final Path target;

    private TarReader(InputStream in, Path target) {
        this.in = in;
        this.target = target;
    }

    static void unpack(InputStream tar, Path target) throws IOException {
        new TarReader(tar, target.toAbsolutePath().normalize()).unpack();
    }

    private void unpack() throws IOException {
        @Nullable String longName = null;
        @Nullable String longLink = null;
        byte[] header = new byte[BLOCK];
        while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
            long size = octal(header, 124, 12);
            char kind = (char) header[156];
            String name = longName != null ? longName : name(header);
            String link = longLink != null ? longLink : text(header, 157, 100);
            switch (kind) {
                case 'L' -> longName = longText(size);
                case 'K' -> longLink = longText(size);
                case 'x' -> {
                    String pax = longText(size);
                    longName = paxValue(pax, "path");
                    longLink = paxValue(pax, "linkpath");
                }
                case 'g' -> longText(size); // global comment, carries no entry
                default -> {
                    longName = null;
                    longLink = null;
                    entry(kind, name, link, size, (int) octal(header, 100, 8));
                }
            }
        }
    }

    private void entry(char kind, String name, String link, long size, int mode)
            throws IOException {
        Path path = inside(target, name);
        if (path.equals(target)) {
            return;
        }
        switch (kind) {
            case '0', '\0' -> {
                Files.createDirectories(parent(path));
                try (OutputStream out = Files.newOutputStream(path)) {
                    copy(size, out);
                }
                skip(padding(size));
                Files.setPosixFilePermissions(path, readable(mode));
            }
            case '5' -> {
                Files.createDirectories(path);
                Files.setPosixFilePermissions(path, readable(0755));
            }
            case '2' -> {
                // A link may point anywhere inside; one pointing out would let the next entry write
                // through it.
                inside(parent(path), link);
                Files.createDirectories(parent(path));
                Files.createSymbolicLink(path, Path.of(link));
            }
            case '1' -> {
                Files.createDirectories(parent(path));
                Files.createLink(path, inside(target, link));
            }
            default -> throw new IOException("tar entry of unknown kind '" + kind + "': " + name);
        }
    }

    private Path inside(Path base, String name) throws IOException {
        Path path = base.resolve(name).normalize();
        if (name.isEmpty() || Path.of(name).isAbsolute() || !path.startsWith(target)) {
            throw new IOException("tar entry points outside the target folder: " + name);
        }
        return path;
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    /// What the owner may read or run, everyone may: as root the server runs as another user than
    /// the one unpacking.
    private static Set<PosixFilePermission> readable(int mode) {
        Set<PosixFilePermission> permissions =
                EnumSet.of(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.GROUP_READ,
                        PosixFilePermission.OTHERS_READ);
        if ((mode & 0100) != 0) {
            permissions.add(PosixFilePermission.OWNER_EXECUTE);
            permissions.add(PosixFilePermission.GROUP_EXECUTE);
            permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        return permissions;
    }

    private String longText(long size) throws IOException {
        if (size > 1 << 20) {
            throw new IOException("tar entry with a name of " + size + " bytes");
        }
        byte[] bytes = in.readNBytes((int) size);
        if (bytes.length < size) {
            throw new EOFException("tar ends inside a name");
        }
        skip(padding(size));
        return text(bytes, 0, bytes.length);
    }

    private static @Nullable String paxValue(String records, String key) {
        for (String line : records.split("\n")) {
            String record = line.substring(line.indexOf(' ') + 1);
            if (record.startsWith(key + "=")) {
                return record.substring(key.length() + 1);
            }
        }
        return null;
    }

    private void copy(long size, OutputStream out) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = size;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                throw new EOFException("tar ends inside a file");
            }
            out.write(buffer, 0, read);
            left -= read;
        }
    }

    private void skip(long count) throws IOException {
        in.skipNBytes(count);
    }

    private static long padding(long size) {
        return (BLOCK - size % BLOCK) % BLOCK;
    }

    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        // Old GNU archives keep other things where ustar keeps the prefix.
        boolean ustar = text(header, 257, 8).equals("ustar");
        String prefix = ustar ? text(header, 345, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    private static long octal(byte[] header, int from, int length) throws IOException {
        String digits = text(header, from, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException(
                    String.format(Locale.ROOT, "tar header holds no octal number: '%s'", digits),
                    e);
        }
    }
}
