package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Wraps the server's commands so that they run as a user PostgreSQL accepts and end when this JVM
/// ends.
///
/// PostgreSQL refuses root. As root we go through `setpriv` to a number of our own, which is no
/// account: no other program runs as it, so nobody else can read the files, signal the server or
/// look into its memory. Only the making of a database needs a user with a name; it is done as
/// `nobody`, in a group of our own that closes the folder and the process to everybody else who is
/// `nobody` (decision 147). Where there is only `runuser`, which asks for a name, or where the
/// number is not to be had, everything runs as `nobody`. `unshare -U` was another way and is not
/// taken: the process would look like `nobody` to itself and still own every file of root's.
///
/// A home folder is usually closed to others (`/root` is 0700), and opening it would be worse than
/// the problem. So the server is started *inside* its data folder by us, who may enter, and is
/// told that its data folder is `/proc/self/cwd`: a path that leads straight to the folder without
/// walking its parents. PostgreSQL never leaves that folder, so the path stays true in every
/// backend. (`-D .` fails: it is made absolute, and then entered by name.) The programs cannot be
/// reached that way, since PostgreSQL resolves its own path to the real one; see `Binaries`.
final class PrivilegeDrop {
    private static final Logger LOG = LoggerFactory.getLogger(PrivilegeDrop.class);

    private static final List<String> TOOL_FOLDERS =
            List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin");

    // Given to nothing by Debian, Red Hat or systemd, and below what small containers map.
    private static final int FIRST_OWN_ID = 60_600;
    private static final int LAST_OWN_ID = 61_100;

    /// Somebody to run as when we are root.
    private record User(String name, int uid, int gid) {}

    /// As whom the server runs.
    private final @Nullable User user;
    /// As whom a database is made.
    private final @Nullable User maker;
    private final @Nullable String setsid;
    private final @Nullable String setpriv;
    private final @Nullable String runuser;
    private final boolean dieWithParent;

    private PrivilegeDrop(
            @Nullable User user,
            @Nullable User maker,
            @Nullable String setsid,
            @Nullable String setpriv,
            @Nullable String runuser,
            boolean dieWithParent) {
        this.user = user;
        this.maker = maker;
        this.setsid = setsid;
        this.setpriv = setpriv;
        this.runuser = runuser;
        this.dieWithParent = dieWithParent;
    }

    static PrivilegeDrop detect() throws PostgresStartException {
        User nobody = effectiveUid() == 0 ? nobody() : null;
        var plain =
                new PrivilegeDrop(
                                nobody,
                                nobody,
                                tool("setsid"),
                                tool("setpriv"),
                                tool("runuser"),
                                true)
                        .checked();
        if (nobody != null && plain.setpriv == null) {
            LOG.warn(
                    "setpriv is missing, so PostgreSQL runs as {}: other programs of that user can"
                            + " read its files",
                    nobody.name());
            return plain;
        }
        return nobody == null ? plain : plain.asOwnUser(nobody);
    }

    private PrivilegeDrop asOwnUser(User nobody) {
        int number = ownId();
        var own =
                new PrivilegeDrop(
                        new User("number " + number, number, number),
                        new User(nobody.name(), nobody.uid(), number),
                        setsid,
                        setpriv,
                        runuser,
                        dieWithParent);
        if (own.may("-d", Path.of("/"), Path.of("/"))) {
            return own;
        }
        LOG.warn(
                "PostgreSQL cannot be run as the user with the number {} here, and runs as {}:"
                        + " other programs of that user can read its files",
                number,
                nobody.name());
        return this;
    }

    private PrivilegeDrop checked() throws PostgresStartException {
        if (user != null && setpriv == null && runuser == null) {
            throw new PostgresStartException(
                    Reason.UNSUPPORTED_PLATFORM,
                    "PostgreSQL does not run as root, and neither setpriv nor runuser (both in"
                            + " util-linux) was found to run it as "
                            + user.name()
                            + "; install util-linux or start Orchestrion as an ordinary user");
        }
        return this;
    }

    /// For tests: the server outlives the JVM, as on a system without `setpriv`.
    PrivilegeDrop withoutDeathSignal() {
        return new PrivilegeDrop(user, maker, setsid, setpriv, runuser, false);
    }

    /// For tests: as on a system without `setpriv`.
    PrivilegeDrop withoutSetpriv() throws PostgresStartException {
        User nobody = user == null ? null : nobody();
        return new PrivilegeDrop(nobody, nobody, setsid, null, runuser, dieWithParent).checked();
    }

    /// The command, run as the server's user in a session of its own and sent `deathSignal` when
    /// the calling thread ends.
    ///
    /// The kernel ties that signal to the thread that forked, not to the process: call this from a
    /// platform thread that lives as long as the server. The session keeps a Ctrl-C in the terminal
    /// from stopping the database under a JVM that is still draining. Without `setpriv` the signal
    /// is missing, and the next start adopts the orphan.
    List<String> command(String deathSignal, List<String> command) {
        return command(user, deathSignal, command);
    }

    /// The same for the command that makes a database, in a folder that [#lend] gave it.
    List<String> making(String deathSignal, List<String> command) {
        return command(maker, deathSignal, command);
    }

    private List<String> command(@Nullable User user, String deathSignal, List<String> command) {
        List<String> wrapped = new ArrayList<>();
        if (setsid != null) {
            wrapped.add(setsid);
        }
        if (setpriv != null) {
            wrapped.add(setpriv);
            if (user != null) {
                wrapped.add("--reuid=" + user.uid());
                wrapped.add("--regid=" + user.gid());
                wrapped.add("--clear-groups");
            }
            wrapped.add("--no-new-privs");
            if (dieWithParent) {
                wrapped.add("--pdeathsig=" + deathSignal);
            }
            wrapped.add("--");
        } else if (user != null && runuser != null) {
            wrapped.addAll(List.of(runuser, "-u", user.name(), "--"));
        }
        wrapped.addAll(command);
        return wrapped;
    }

    /// Whether commands run as somebody else than this JVM.
    boolean changesUser() {
        return user != null;
    }

    String userName() {
        return user == null ? System.getProperty("user.name", "this user") : user.name();
    }

    /// Asks the system, as the server's user, a question of test(1), such as `-x`, about a path.
    /// Modes are not computed here: access lists, squashed network mounts and security modules have
    /// a say too.
    boolean may(String test, Path path, Path workingFolder) {
        try {
            Process probe =
                    new ProcessBuilder(
                                    command(
                                            "KILL",
                                            List.of(
                                                    "sh",
                                                    "-c",
                                                    "test " + test + " \"$0\"",
                                                    path.toString())))
                            .directory(workingFolder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Lets whoever makes a database into a folder, and through it to the files in it; nobody else
    /// comes in.
    ///
    /// @param data the folder inside that it is to own
    void lend(Path folder, Path data) throws IOException {
        if (maker == null) {
            return;
        }
        ownOne(data, maker);
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            for (Path file : inside) {
                if (!file.equals(data)) {
                    ownOne(file, maker);
                }
            }
        }
        Files.setAttribute(folder, "unix:gid", maker.gid());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x---"));
    }

    /// Whether a folder is the server's user's, or that is us.
    boolean owns(Path root) throws IOException {
        return user == null || isOwned(root);
    }

    /// Gives a folder and all in it to the server's user, when that is not us. Costs one look when
    /// it already is theirs.
    void own(Path root) throws IOException {
        if (owns(root)) {
            return;
        }
        // The folder itself comes last, so that one that is theirs has nothing left to do inside.
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        ownOne(file, user);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
                            throws IOException {
                        if (e != null) {
                            throw e;
                        }
                        ownOne(folder, user);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private boolean isOwned(Path path) throws IOException {
        return user != null
                && Integer.valueOf(user.uid())
                        .equals(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    }

    private static void ownOne(Path path, @Nullable User owner) throws IOException {
        if (owner != null) {
            Files.setAttribute(path, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /// The first number that is neither a user nor a group here.
    private static int ownId() {
        Set<String> taken = new HashSet<>(numbers("/etc/passwd"));
        taken.addAll(numbers("/etc/group"));
        int number = FIRST_OWN_ID;
        while (number < LAST_OWN_ID && taken.contains(Integer.toString(number))) {
            number++;
        }
        return number;
    }

    private static List<String> numbers(String file) {
        try {
            return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1).stream()
                    .map(line -> line.split(":"))
                    .filter(fields -> fields.length > 2)
                    .map(fields -> fields[2])
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static long effectiveUid() throws PostgresStartException {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("Uid:")) {
                    return Long.parseLong(line.split("\\s+")[2]);
                }
            }
            throw new IOException("no Uid line in /proc/self/status");
        } catch (IOException e) {
            throw new PostgresStartException(
                    Reason.UNSUPPORTED_PLATFORM,
                    "the embedded PostgreSQL needs Linux with /proc mounted ("
                            + e
                            + "); use an external PostgreSQL instead",
                    e);
        }
    }

    /// initdb looks its user up in the user database, so the number must have a name there.
    private static User nobody() throws PostgresStartException {
        try {
            for (String line :
                    Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1)) {
                String[] fields = line.split(":");
                if (fields.length > 3 && fields[0].equals("nobody") && !fields[2].equals("0")) {
                    return new User(
                            fields[0], Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Falls through: without a readable user database there is no such user either.
        }
        throw new PostgresStartException(
                Reason.UNSUPPORTED_PLATFORM,
                "PostgreSQL does not run as root, and /etc/passwd has no user \"nobody\" to run it"
                        + " as; add that user or start Orchestrion as an ordinary user");
    }

    private static @Nullable String tool(String name) {
        List<String> folders = new ArrayList<>(TOOL_FOLDERS);
        Map<String, String> environment = System.getenv();
        folders.addAll(List.of(environment.getOrDefault("PATH", "").split(":")));
        for (String folder : folders) {
            if (!folder.isEmpty()) {
                Path candidate = Path.of(folder, name);
                if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                    return candidate.toString();
                }
            }
        }
        return null;
    }
}
