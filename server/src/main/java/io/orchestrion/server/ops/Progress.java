package io.orchestrion.server.ops;

/// Tells the operator what a start that takes longer than a blink is doing.
public interface Progress {
    /// The start has come to this step; the one before is over.
    void step(String what);

    /// The last step is over; what follows on the terminal is no longer about the start.
    void done();

    /// For starts that nobody watches.
    Progress SILENT =
            new Progress() {
                @Override
                public void step(String what) {}

                @Override
                public void done() {}
            };
}
