package io.orchestrion.kernel.signals;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/// Makes spans. A parent is named by a W3C traceparent, which is how it crosses processes and is
/// kept with an item.
public interface Tracing {
    /// Keeps nothing and hands the parent's context on.
    Tracing NONE =
            new Tracing() {
                @Override
                public Span start(
                        String name, @Nullable String parent, Map<String, String> attributes) {
                    return () -> parent;
                }
            };

    /// Whether spans are kept at all.
    default boolean on() {
        return false;
    }

    /// Begins a span; without a usable parent it begins a trace.
    Span start(String name, @Nullable String parent, Map<String, String> attributes);

    /// Keeps a span that is over already. Only within a trace: where there is no usable parent,
    /// nothing is kept.
    ///
    /// @param failure why it failed, null where it did not
    default void past(
            String name,
            @Nullable String parent,
            long startMs,
            long endMs,
            Map<String, String> attributes,
            @Nullable String failure) {}

    /// A span that has begun. Closing it ends it; it may be closed on another thread.
    @FunctionalInterface
    interface Span extends AutoCloseable {
        /// Its own context, for what happens within it elsewhere; null when there is none.
        @Nullable String traceparent();

        default void attribute(String name, String value) {}

        /// Names another trace that has to do with it.
        default void link(@Nullable String traceparent) {}

        default void failed(String reason) {}

        @Override
        default void close() {}
    }
}
