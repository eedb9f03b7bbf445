package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds what is certain to fail before a database is started, which takes seconds on a first
/// start.
final class Preflight {
    private Preflight() {}

    static void check(Settings settings) throws StartFailure {
        dataFolder(settings.data());
        port(settings.host(), settings.port());
    }

    /// Its permissions are left to the user's umask and to the embedded database, which as root
    /// hands its part of the folder to another user; what is secret in it is protected file by
    /// file.
    static void dataFolder(Path folder) throws StartFailure {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw notWritable(folder, "cannot be created", e);
        }
        if (!Files.isWritable(folder)) {
            throw notWritable(
                    folder, "cannot be written by " + System.getProperty("user.name"), null);
        }
    }

    private static StartFailure notWritable(Path folder, String why, @Nullable Throwable cause) {
        return new StartFailure(
                ExitCode.DATA_NOT_WRITABLE, "the data folder " + folder + " " + why, cause);
    }

    static void port(String host, int port) throws StartFailure {
        try (var socket = new ServerSocket()) {
            // The same option as the server's: a port whose last connections are still closing is
            // free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (UnknownHostException e) {
            throw new StartFailure(
                    ExitCode.BAD_SETTINGS, "host " + host + " is a name that no address has", e);
        } catch (BindException e) {
            String why = String.valueOf(e.getMessage());
            if (why.contains("assign")) {
                throw new StartFailure(
                        ExitCode.BAD_SETTINGS,
                        "host " + host + " is no address of this machine",
                        e);
            }
            throw new StartFailure(
                    ExitCode.PORT_TAKEN, "port " + port + " on " + host + " is taken: " + why, e);
        } catch (IOException e) {
            throw new StartFailure(
                    ExitCode.PORT_TAKEN,
                    "cannot listen on port " + port + " of " + host + ": " + e.getMessage(),
                    e);
        }
    }
}
