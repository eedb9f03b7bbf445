package io.orchestrion.orchestrations.execution;

/// Kinds of items that no worker outside gets.
public final class ItemKinds {
    /// The end of a wait.
    static final String WAIT = "orchestration_wait";

    /// The end of the time of a step whose wait would last longer.
    static final String WAIT_TOO_LONG = "orchestration_wait_too_long";

    /// The end of the time in which an approval can be given.
    static final String APPROVAL = "orchestration_approval";

    /// The end of the time that an execution has.
    static final String TIMEOUT = "orchestration_timeout";

    /// A call of a service outside.
    public static final String HTTP = "builtin_http";

    /// A notice to somebody outside.
    public static final String NOTIFY = "builtin_notify";

    /// Something that the product does to its own things.
    public static final String ACTION = "builtin_action";

    private ItemKinds() {}
}
