package io.orchestrion.server.statements;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/// A stand-in for what `database distribute` says to the extension Citus: functions of the same
/// names, and the catalogue that they write. Nothing is spread by it; a cluster is not at hand
/// where tests run.
final class StandIn {
    private StandIn() {}

    static void install(Connection connection, int workers) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    set allow_system_table_mods = on;
                    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
                    select 90001, 'citus', 10, 'pg_catalog'::regnamespace, false, 'stand-in';
                    create table pg_catalog.pg_dist_partition (
                      logicalrelid regclass primary key, partmethod "char", partkey text, colocationid int);
                    grant select on pg_catalog.pg_dist_partition to public;
                    create function pg_catalog.citus_get_active_worker_nodes() returns table (node_name text, node_port int)
                      language sql as $$ select 'worker', n from generate_series(1, WORKERS) as n $$;
                    create function pg_catalog.column_to_column_name(regclass, text) returns text
                      language sql as $$ select $2 $$;
                    create function pg_catalog.create_reference_table(t regclass) returns void language plpgsql as $$
                    begin
                      if exists (select from pg_constraint k where k.conrelid = t and k.contype = 'f'
                                    and not exists (select from pg_dist_partition p where p.logicalrelid = k.confrelid)) then
                        raise exception 'foreign key of % leads to a table that is not spread', t;
                      end if;
                      insert into pg_dist_partition values (t, 'n', null, 1);
                    end $$;
                    create function pg_catalog.create_distributed_table(t regclass, c text, colocate_with text default 'default')
                      returns void language plpgsql as $$
                    begin
                      if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on'
                         and exists (select from pg_trigger g where g.tgrelid = t and not g.tgisinternal) then
                        raise exception 'cannot distribute relation % because it has triggers', t;
                      end if;
                      if exists (select from pg_constraint k where k.conrelid = t and k.contype = 'f' and k.confrelid <> t
                                    and not exists (select from pg_dist_partition p where p.logicalrelid = k.confrelid)) then
                        raise exception 'foreign key of % leads to a table that is not spread', t;
                      end if;
                      if exists (select from pg_index i where i.indrelid = t and i.indisunique
                                    and not exists (select from pg_attribute a where a.attrelid = t and a.attname = c
                                                       and a.attnum = any(i.indkey))) then
                        raise exception 'a unique index of % lacks %', t, c;
                      end if;
                      insert into pg_dist_partition values (t, 'h', c, case colocate_with when 'none' then 2 else
                        (select p.colocationid from pg_dist_partition p where p.logicalrelid = colocate_with::regclass) end);
                    end $$;
                    """
                            .replace("WORKERS", Integer.toString(workers)));
        }
    }
}
