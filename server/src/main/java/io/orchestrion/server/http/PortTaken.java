package io.orchestrion.server.http;

/// Another process, or another server of this one, listens on the port.
public final class PortTaken extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int port;

    PortTaken(int port) {
        super("Port " + port + " is taken");
        this.port = port;
    }

    public int port() {
        return port;
    }
}
