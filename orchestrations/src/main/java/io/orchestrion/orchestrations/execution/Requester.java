package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.audit.Actor;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Who asks for a change of an execution.
public sealed interface Requester permits Person, Requester.Step {
    /// As the audit log names it.
    Actor actor();

    /// As it is stored beside what was done.
    String word();

    /// A step of another execution, whose definition says `builtin:execution.…`.
    ///
    /// @param stepId null where the whole execution asks
    record Step(UUID execution, @Nullable String stepId) implements Requester {
        @Override
        public Actor actor() {
            return Actor.server();
        }

        @Override
        public String word() {
            return "execution:" + execution + (stepId == null ? "" : "/" + stepId);
        }
    }
}
