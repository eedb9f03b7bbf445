package io.orchestrion.server.ops;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// What was built: the version of the build, and the commit when the build knew it.
public record ProductVersion(String version, String commit) {
    /// Reads what the build of the program wrote; a part of it that is tested alone has no version.
    public static ProductVersion current() {
        var properties = new Properties();
        try (InputStream in =
                ProductVersion.class.getResourceAsStream("/orchestrion-version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ProductVersion(
                properties.getProperty("version", "unversioned"),
                properties.getProperty("commit", ""));
    }

    /// `0.1.0 (a1b2c3d)`.
    @Override
    public String toString() {
        return commit.isBlank() ? version : version + " (" + commit + ")";
    }
}
