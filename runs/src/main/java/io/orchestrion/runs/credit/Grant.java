package io.orchestrion.runs.credit;

/// What came of granting credits.
public sealed interface Grant {
    /// @param again whether the key was used before; the entry is then the first one
    record Granted(Entry entry, boolean again) implements Grant {}

    /// Nothing was changed: another amount was granted with this key.
    record OtherAmount(Entry entry) implements Grant {}

    /// Nothing was changed: the account would have more than an account can have.
    record TooMuch(Balance balance) implements Grant {}

    /// There is no such account.
    record NoAccount() implements Grant {}
}
