-- A key may be for runs alone. Changes a constraint: locks api_key, which is small, while its rows are looked at.
alter table api_key
  drop constraint api_key_scopes,
  add constraint api_key_scopes check (
    scopes <@ array['producer', 'worker', 'operator', 'admin', 'read', 'orchestration:write', 'orchestration:operate',
                    'orchestration:approve', 'orchestration:review', 'runs:write']);
