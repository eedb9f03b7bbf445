package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;

/// The server's programs, unpacked once from the archive on the class path into
/// `<folder>/<version>`.
///
/// They are unpacked into a sibling and renamed when they are whole and on the disk, so a folder
/// with the version's name is always complete. As root, a folder that the server's user cannot
/// reach is no place for them: PostgreSQL resolves the path of its own program and loads libraries
/// and templates from beside it by name. They then go to a folder of the system instead, which only
/// root can write.
final class Binaries {
    private static final Logger LOG = LoggerFactory.getLogger(Binaries.class);

    /// Where the programs go when root's own folder is closed to the server's user.
    static final Path SYSTEM_FOLDER = Path.of("/var/lib/orchestrion/postgres");

    private static final String UNPACKING = ".unpacking-";
    // A FileLock keeps processes apart but throws between threads of one process.
    private static final ReentrantLock IN_THIS_JVM = new ReentrantLock();

    private final Path home;
    private final String bundle;

    private Binaries(Path home, String bundle) {
        this.home = home;
        this.bundle = bundle;
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    Path home() {
        return home;
    }

    /// As PostgreSQL says it, "18.6".
    String version() {
        return versionOf(bundle);
    }

    String major() {
        return bundle.substring(0, bundle.indexOf('.'));
    }

    private static String versionOf(String bundle) {
        return bundle.substring(0, bundle.lastIndexOf('.'));
    }

    static Binaries ready(PostgresOptions options, PrivilegeDrop drop, Path systemFolder)
            throws PostgresStartException {
        String archive = archive();
        String bundle = bundle();
        Path folder = options.binariesFolder();
        try {
            Folders.create(folder, "rwxr-xr-x");
            if (drop.changesUser() && !drop.may("-x", folder, Path.of("/"))) {
                LOG.info(
                        "{} cannot be reached by user {}, who runs PostgreSQL; its programs go to"
                                + " {}",
                        folder,
                        drop.userName(),
                        systemFolder);
                folder = systemFolder;
                Folders.create(folder, "rwxr-xr-x");
            }
            Path home = folder.resolve(bundle);
            if (!Files.isDirectory(home)) {
                unpackOnce(archive, bundle, home, options);
            }
            Binaries binaries = new Binaries(home, bundle);
            if (!drop.may("-x", binaries.program("postgres"), Path.of("/"))) {
                throw new PostgresStartException(
                        Reason.NOT_WRITABLE,
                        binaries.program("postgres")
                                + " cannot be run by user "
                                + drop.userName()
                                + "; check the permissions of its folders, or delete "
                                + home
                                + " to have it unpacked again");
            }
            return binaries;
        } catch (IOException e) {
            throw Failures.notWritable(folder, e);
        }
    }

    private static void unpackOnce(
            String archive, String bundle, Path home, PostgresOptions options)
            throws IOException, PostgresStartException {
        Path folder = home.resolveSibling(".");
        IN_THIS_JVM.lock();
        try (FileChannel channel =
                        FileChannel.open(
                                home.resolveSibling(".unpack.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            if (Files.isDirectory(home)) {
                return;
            }
            // Whoever unpacks holds the lock, so these belong to the dead.
            try (DirectoryStream<Path> leftovers =
                    Files.newDirectoryStream(folder, UNPACKING + "*")) {
                for (Path leftover : leftovers) {
                    Folders.delete(leftover);
                }
            }
            options.progress().accept("unpacking PostgreSQL " + versionOf(bundle));
            Path temporary = home.resolveSibling(UNPACKING + randomHex(8));
            try {
                unpack(archive, temporary);
                checkRuns(temporary);
                Folders.sync(temporary);
                Files.move(temporary, home, StandardCopyOption.ATOMIC_MOVE);
                Folders.syncOne(folder);
            } finally {
                Folders.delete(temporary);
            }
        } finally {
            IN_THIS_JVM.unlock();
        }
    }

    private static void unpack(String archive, Path target)
            throws IOException, PostgresStartException {
        try (InputStream packed = Binaries.class.getResourceAsStream("/" + archive)) {
            if (packed == null) {
                throw new PostgresStartException(
                        Reason.UNSUPPORTED_PLATFORM,
                        archive + " is not on the class path; use an external PostgreSQL instead");
            }
            Folders.create(target, "rwxr-xr-x");
            TarReader.unpack(new XZInputStream(packed), target);
        }
    }

    /// The archives are built against glibc. On musl the loader is missing, and that is better said
    /// here than as a "No such file or directory" about a file that exists.
    private static void checkRuns(Path home) throws IOException, PostgresStartException {
        String said;
        try {
            Process version =
                    new ProcessBuilder(home.resolve("bin/postgres").toString(), "--version")
                            .redirectErrorStream(true)
                            .start();
            said =
                    new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (version.waitFor() == 0) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            said = "interrupted";
        } catch (IOException e) {
            said = String.valueOf(e.getMessage());
        }
        throw new PostgresStartException(
                Reason.UNSUPPORTED_PLATFORM,
                "the bundled PostgreSQL does not run from "
                        + home.resolveSibling(".").normalize()
                        + " ("
                        + said
                        + "); it needs a glibc system and a folder not mounted noexec. Use an"
                        + " external PostgreSQL instead");
    }

    private static String archive() throws PostgresStartException {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (system.contains("linux")) {
            switch (processor) {
                case "amd64", "x86_64" -> {
                    return "postgres-linux-x86_64.txz";
                }
                case "aarch64", "arm64" -> {
                    return "postgres-linux-arm_64.txz";
                }
                default -> {}
            }
        }
        throw new PostgresStartException(
                Reason.UNSUPPORTED_PLATFORM,
                "no PostgreSQL is bundled for "
                        + system
                        + " on "
                        + processor
                        + "; use an external PostgreSQL instead");
    }

    private static String bundle() throws PostgresStartException {
        Properties properties = new Properties();
        try (InputStream in = Binaries.class.getResourceAsStream("binaries.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new PostgresStartException(
                    Reason.FAILED, "binaries.properties inside the jar is unreadable: " + e, e);
        }
        String version = properties.getProperty("version", "");
        if (!version.matches("\\d+\\.\\d+\\.\\d+")) {
            throw new PostgresStartException(
                    Reason.FAILED,
                    "this build does not know its PostgreSQL version: '" + version + "'");
        }
        return version;
    }

    static String randomHex(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
