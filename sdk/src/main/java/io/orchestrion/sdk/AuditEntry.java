package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// Something that somebody did to the account.
///
/// @param id counts up by one within the account
/// @param action such as `key.created`
/// @param json the whole entry: who did it, to what, and a small detail
public record AuditEntry(long id, Instant at, String action, JsonNode json) {}
