package io.orchestrion.bench.meter;

import io.orchestrion.bench.Lab;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.StoreSql.LogMeter;
import io.orchestrion.bench.load.Load;
import io.orchestrion.tools.ServerProgram;

import java.sql.SQLException;
import java.util.List;

/// Reads what servers, database and load generator have used when a window begins and ends. For one
/// window only.
public final class CostMeter implements Load.Window {
    private final Lab lab;
    private final LogMeter log;
    private final List<ServerProgram> nodes;
    private Reading before = new Reading(0, 0, 0, 0);
    private Reading used = before;
    private double serverMegabytes;
    private double databaseMegabytes;

    /// @param nodes whose processes are the servers; none where SQL is measured alone
    public CostMeter(Lab lab, Address database, List<ServerProgram> nodes) throws SQLException {
        this.lab = lab;
        log = new LogMeter(database);
        // The first question takes more than the others.
        log.bytes();
        this.nodes = nodes;
    }

    private record Reading(double server, double store, double client, double walBytes) {
        Reading minus(Reading other) {
            return new Reading(
                    server - other.server,
                    store - other.store,
                    client - other.client,
                    walBytes - other.walBytes);
        }
    }

    /// For one life cycle, in microseconds of processor time and bytes of log; memory at the end.
    ///
    /// @param serverMegabytes of the largest server
    public record Cost(
            double serverMicros,
            double databaseMicros,
            double clientMicros,
            double walBytes,
            double serverMegabytes,
            double databaseMegabytes) {}

    @Override
    public void begins() {
        before = read();
    }

    @Override
    public void ends() {
        used = read().minus(before);
        serverMegabytes =
                nodes.stream()
                        .mapToDouble(node -> ProcessUsage.residentMegabytes(node.pid()))
                        .max()
                        .orElse(0);
        databaseMegabytes = ProcessUsage.residentMegabytesOfTree(lab.postgresPid());
        log.close();
    }

    private Reading read() {
        return new Reading(
                nodes.stream().mapToDouble(node -> ProcessUsage.cpuSeconds(node.pid())).sum(),
                ProcessUsage.cpuSecondsOfTree(lab.postgresPid()),
                ProcessUsage.cpuSeconds(ProcessHandle.current().pid()),
                log.bytes());
    }

    public Cost cost(long done) {
        double each = Math.max(1, done);
        return new Cost(
                used.server() * 1e6 / each,
                used.store() * 1e6 / each,
                used.client() * 1e6 / each,
                used.walBytes() / each,
                serverMegabytes,
                databaseMegabytes);
    }
}
