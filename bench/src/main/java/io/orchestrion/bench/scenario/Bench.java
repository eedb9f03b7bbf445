package io.orchestrion.bench.scenario;

import io.orchestrion.bench.Lab;
import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Load;
import io.orchestrion.bench.meter.CostMeter;
import io.orchestrion.bench.report.Result;
import io.orchestrion.tools.ServerProgram;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What a scenario works with: the lab, how long it may take, and where its results go.
public final class Bench {
    private final Lab lab;
    private final Scale scale;
    private final Consumer<String> say;
    private final List<Result> results = new ArrayList<>();

    public Bench(Lab lab, Scale scale, Consumer<String> say) {
        this.lab = lab;
        this.scale = scale;
        this.say = say;
    }

    public Lab lab() {
        return lab;
    }

    public Scale scale() {
        return scale;
    }

    public void say(String line) {
        say.accept(line);
    }

    public Result add(Result result) {
        results.add(result);
        say(Lines.of(result));
        return result;
    }

    public List<Result> results() {
        return List.copyOf(results);
    }

    /// What a scenario does on a server with an empty database.
    interface OnServer {
        void run(Address database, ServerProgram node) throws Exception;
    }

    void onServer(OnServer body) throws Exception {
        onDatabase(
                database -> {
                    try (ServerProgram node = lab.start(database)) {
                        body.run(database, node);
                    }
                });
    }

    /// What a scenario does on an empty database.
    interface OnDatabase {
        void run(Address database) throws Exception;
    }

    void onDatabase(OnDatabase body) throws Exception {
        Address database = lab.newDatabase();
        body.run(database);
        lab.drop(database).forEach(this::say);
    }

    Load load(Load.Window window) {
        return new Load(scale.warmUp(), scale.counted(), window);
    }

    /// For what something later on the same server is compared with: measured while the server is
    /// still being compiled, it would flatter that.
    Load warmLoad(Load.Window window) {
        return new Load(scale.warmUp().multipliedBy(2), scale.counted(), window);
    }

    CostMeter meter(Address database, List<ServerProgram> nodes) throws SQLException {
        return new CostMeter(lab, database, nodes);
    }
}
