package io.orchestrion.bench.load;

/// The end of a step.
///
/// @param count how many life cycles, or whatever is counted, came to their end in it
public record Done(int count) implements Next {
    public static final Done NOTHING = new Done(0);
    public static final Done ONE = new Done(1);
}
