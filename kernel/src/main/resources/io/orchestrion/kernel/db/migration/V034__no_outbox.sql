-- Nobody has subscribed to the outbox since receivers read the event log (decision 99), so nothing was written to it.
-- Locks the table for the moment of dropping it.
drop table outbox;
