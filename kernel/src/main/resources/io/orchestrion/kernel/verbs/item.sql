-- Parts that several files of statements share. An item always has the name w.

-- part: item
-- All columns of an item but its documents, in the order in which they are read.
w.account_id, w.id, w.profile, w.queue, w.kind, w.state, w.wait_reason, w.priority, w.run_at_ms, w.attempt,
       w.max_attempts, w.retries, w.lease_seconds, w.lease_number, w.lease_token, w.lease_until_ms, w.holder,
       w.timeout_ms, w.deadline_ms, w.cancel_requested, w.owner_kind, w.owner_id, w.created_ms, w.updated_ms,
       w.claimed_ms, w.heartbeat_ms, w.finished_ms, w.failed_ms, w.failure, w.event_seq, w.event_ms,
       w.purge_after_ms, w.concurrency_key, w.rate_key, w.unique_key, w.if_parent_fails, w.has_dependents,
       w.settled_token, w.settled_digest, w.trace, w.correlation_id, w.pause_requested,
       w.give_up_ms, w.history

-- part: documents
w.payload, w.result, w.output_ref, w.error, w.usage, w.logs_ref

-- part: flow_key
coalesce(w.concurrency_key, '') || chr(31) || coalesce(w.rate_key, '')
