package io.orchestrion.kernel.db;

/// The room that the store has left, where somebody on this machine knows it.
public interface Room {
    /// This node cannot know how much room there is. The store refuses writes when there is none.
    Room UNKNOWN =
            new Room() {
                @Override
                public boolean full() {
                    return false;
                }

                @Override
                public void make() {}
            };

    /// Whether the room that is left is needed by those who hold work already.
    boolean full();

    /// The store is full: gives it the room that was kept for this.
    void make();
}
