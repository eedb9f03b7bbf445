package io.orchestrion.bench.scenario;

import io.orchestrion.bench.ReferenceSql;
import io.orchestrion.bench.StoreSql;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Load.Outcome;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.bench.report.Table;

import java.util.List;

/// What the same PostgreSQL does with plain SQL, without a server: the figure to divide by.
final class ReferenceScenario implements Scenario {
    private static final int ONE_ROW_CONNECTIONS = 16;
    private static final int MANY_ROWS_CONNECTIONS = 4;
    private static final int MANY = 500;

    @Override
    public String name() {
        return Table.REFERENCE;
    }

    @Override
    public String about() {
        return "plain SQL on the same database, without a server: the limit to compare with";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onDatabase(
                database -> measure(bench, database, Table.ONE_ROW, ONE_ROW_CONNECTIONS, 1));
        bench.onDatabase(
                database -> measure(bench, database, Table.MANY_ROWS, MANY_ROWS_CONNECTIONS, MANY));
    }

    private static void measure(
            Bench bench, Address database, String row, int connections, int rows) throws Exception {
        ReferenceSql.createTable(database);
        StoreSql.settle(database);
        CostMeter meter = bench.meter(database, List.of());
        Outcome outcome =
                bench.load(meter).blocking(connections, () -> ReferenceSql.worker(database, rows));
        bench.add(Result.of(Table.REFERENCE, row, Result.LIFE_CYCLES, outcome, meter));
    }
}
