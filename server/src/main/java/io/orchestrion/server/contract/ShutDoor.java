package io.orchestrion.server.contract;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.http.Gate;

/// The last gate of a door whose settings are wrong: it lets nobody through.
public final class ShutDoor {
    /// Nobody mends a setting in less.
    private static final long WAIT_SECONDS = 60;

    private ShutDoor() {}

    /// @param fault what is wrong with the settings
    public static <E extends DoorError> Gate gate(
            ErrorAnswers<E> answers, String door, String fault) {
        return (call, _) ->
                answers.later(
                        call,
                        answers.errors().of(CommonError.OVERLOADED),
                        WAIT_SECONDS,
                        "The " + door + " door is shut: " + fault);
    }
}
