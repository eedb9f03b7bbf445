package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds the key to talk with: a named file, ORCHESTRION_KEY, or the file that a local server
/// wrote. Never the command line, which every user of a machine can read.
final class KeySource {
    static final String VARIABLE = "ORCHESTRION_KEY";

    static final String TOKEN_VARIABLE = "ORCHESTRION_WORKER_TOKEN";

    private final Surroundings surroundings;

    KeySource(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /// There is no key; the message says what was looked for.
    static final class NoKey extends Exception {
        private static final long serialVersionUID = 1;

        NoKey(String message) {
            super(message);
        }
    }

    String find(@Nullable Path named, URI server) throws NoKey {
        if (named != null) {
            return read(named);
        }
        String fromVariable = surroundings.variable(VARIABLE, "");
        if (!fromVariable.isEmpty()) {
            return fromVariable;
        }
        // The key of this machine's server is nobody else's business.
        if (!local(server.getHost())) {
            throw new NoKey(
                    "the key of the local server is not sent to "
                            + server.getHost()
                            + " unless it is named");
        }
        return read(defaultFile());
    }

    /// The line comes before the environment, and a token before a key.
    String findForWorker(@Nullable Path token, @Nullable Path key, URI server) throws NoKey {
        if (token != null) {
            return read(token);
        }
        String fromVariable = surroundings.variable(TOKEN_VARIABLE, "");
        return key == null && !fromVariable.isEmpty() ? fromVariable : find(key, server);
    }

    private Path defaultFile() {
        Path data =
                Path.of(
                        surroundings.variable(
                                "ORCHESTRION_DATA",
                                surroundings.home().resolve(".orchestrion").toString()));
        return data.resolve("local.key");
    }

    private static boolean local(@Nullable String host) {
        if (host == null) {
            return false;
        }
        boolean address = host.startsWith("[") || host.matches("[0-9.]+");
        return host.equals("localhost")
                || (address && InetAddress.ofLiteral(host).isLoopbackAddress());
    }

    private static String read(Path file) throws NoKey {
        try {
            String key = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (key.matches("[!-~]+")) {
                return key;
            }
            throw new NoKey(file + " holds no key");
        } catch (IOException e) {
            throw new NoKey("cannot read a key from " + file);
        }
    }
}
