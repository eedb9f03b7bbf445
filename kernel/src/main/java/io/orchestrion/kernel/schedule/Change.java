package io.orchestrion.kernel.schedule;

/// The outcome of making or changing a schedule.
public sealed interface Change {
    record Done(ScheduleView view) implements Change {}

    /// Another schedule of the account has the name.
    record NameTaken() implements Change {}

    /// The account has as many as it may.
    record TooMany() implements Change {}

    /// It could never fire, or not as it says.
    record Refused(String field, String reason) implements Change {}

    record NotFound() implements Change {}
}
