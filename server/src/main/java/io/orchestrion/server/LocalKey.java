package io.orchestrion.server;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Registration;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The operator's key in a file that only its owner can read, so that a person at the machine is
/// never asked to register. Each node has its own key of the one `local` account.
final class LocalKey {
    private LocalKey() {}

    /// The file, with a key in it that works: an old one is kept, a missing or dead one is made
    /// anew.
    static Path in(Path dataFolder, Identity identity) throws IOException {
        Path file = dataFolder.resolve("local.key");
        if (!works(file, identity)) {
            Registration made = identity.registerLocal("local");
            write(file, made.key().reveal());
        }
        return file;
    }

    private static boolean works(Path file, Identity identity) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        Principal principal =
                identity.authenticate(Files.readString(file, StandardCharsets.UTF_8).strip());
        return principal != null && principal.accountId().equals(Identity.LOCAL_ACCOUNT);
    }

    private static void write(Path file, String key) throws IOException {
        Path unfinished = file.resolveSibling("local.key.new");
        Files.deleteIfExists(unfinished);
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out =
                Channels.newOutputStream(Files.newByteChannel(unfinished, options, ownerOnly))) {
            out.write((key + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Files.move(
                unfinished,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
