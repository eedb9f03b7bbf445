-- name: begin
insert into orchestration_notification as n (account_id, step_idempotency_key, state, target, attempts, first_ms)
select a.account_id, :key, 'sending', :target, 1, :now from account a where a.account_id = :account
    on conflict (account_id, step_idempotency_key) do update set attempts = n.attempts + 1
returning n.attempts, n.result

-- name: sent
update orchestration_notification n
   set state = 'sent', sent_ms = :now, result = :result
 where n.account_id = :account and n.step_idempotency_key = :key and n.state = 'sending'
