package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// One entry of the audit log: something that somebody did to the account.
///
/// @param id grows by one with each entry of the account
/// @param at when it was done
/// @param action such as `key.created`
/// @param json the whole entry: who did it, to what, and a small detail
public record AuditEntry(long id, Instant at, String action, JsonNode json) {}
