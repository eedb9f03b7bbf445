package io.orchestrion.kernel.work;

/// How people are told that an item belongs to an engine: what the item is to its owner, and what
/// to do instead of changing the item.
///
/// @param item what one item is, such as `a step`
/// @param owner what owns it, such as `execution`
/// @param instead such as `pause or cancel the execution instead`
public record OwnerWords(String item, String owner, String instead) {
    /// For an engine that only says what its owners are called.
    public static OwnerWords of(String owner) {
        return new OwnerWords("a step", owner, "pause or cancel the " + owner + " instead");
    }

    /// One sentence about an item of the owner.
    public String of(WorkItem.OwnerRef ref) {
        return "This task is %s of %s %s; %s.".formatted(item, owner, ref.id(), instead);
    }
}
