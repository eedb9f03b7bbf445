package io.orchestrion.cli;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;

/// Where a secret goes that is shown once: to a new file that only its owner can read.
final class SecretFile {
    private SecretFile() {}

    /// @param about what to say instead of the secret
    record Saved(String secret, String about) {}

    /// @param reader the option that reads such a file
    static ClientCommand option(String reader, ClientCommand command) {
        return command.option(
                "--save",
                "FILE",
                Path.class,
                "Write the secret to a new file that only you can read, for "
                        + reader
                        + ", instead of printing it.");
    }

    /// The file is made first: a secret that cannot be written down would be lost.
    ///
    /// @param what it is that the file holds
    static void write(Path file, Invocation run, String what, Supplier<Saved> maker) {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = Channels.newOutputStream(Files.newByteChannel(file, options, ownerOnly))) {
            Saved made = maker.get();
            out.write((made.secret() + "\n").getBytes(StandardCharsets.UTF_8));
            run.out().println(made.about() + ", its " + what + " is in " + file + ".");
        } catch (RuntimeException e) {
            file.toFile().delete();
            throw e;
        } catch (FileAlreadyExistsException e) {
            throw run.misused(file + " exists already");
        } catch (IOException e) {
            throw run.misused("cannot write " + file);
        }
    }
}
