package io.orchestrion.jobs.registry;

/// The runners of all processes that were heard of lately.
///
/// @param runners how many there are
/// @param capacity how many jobs they can hold together
/// @param busy how many they held when they were last heard of
public record Availability(int runners, int capacity, int busy) {
    public static final Availability NONE = new Availability(0, 0, 0);

    public boolean any() {
        return runners > 0;
    }
}
