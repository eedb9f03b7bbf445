package io.orchestrion.server.billing;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/// Under which address people reach this server, for links in what they are sent. Unless it is
/// set, it is where the server listens; a port of 0 is known only once it does.
public final class PublicAddress {
    private final boolean set;
    private volatile String base;

    public PublicAddress(@Nullable URI url, String host, int port) {
        set = url != null;
        base = url == null ? "" : url.toString().replaceFirst("/+$", "");
        listensOn(host, port);
    }

    public void listensOn(String host, int port) {
        if (!set) {
            boolean everywhere = host.equals("0.0.0.0") || host.equals("::");
            String reachable = everywhere ? "127.0.0.1" : host;
            base =
                    "http://"
                            + (reachable.contains(":") ? "[" + reachable + "]" : reachable)
                            + ":"
                            + port;
        }
    }

    public String of(String path) {
        return base + path;
    }
}
