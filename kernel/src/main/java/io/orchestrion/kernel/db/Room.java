package io.orchestrion.kernel.db;

/// The room that the store has left, where somebody on this machine knows it.
public interface Room {
    /// Nobody here knows; the store itself says when there is none.
    Room UNKNOWN =
            new Room() {
                @Override
                public boolean full() {
                    return false;
                }

                @Override
                public void make() {}
            };

    /// Whether what is left is needed by those who hold work already.
    boolean full();

    /// The store has met the end of its room: gives it what was kept for that.
    void make();
}
