package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.pool.PoolWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.orchestrations.definition.DefinitionReader;
import io.orchestrion.orchestrations.definition.Schemas;

import java.util.List;

/// The orchestration engine as a door sees it. Each call returns after its commit.
public final class Orchestrations implements AutoCloseable {
    /// The engine's tables.
    public static final SchemaPart SCHEMA =
            SchemaPart.of("orchestrations", Orchestrations.class)
                    .once(List.of("V001__orchestrations.sql", "V002__attempts_in_place.sql"))
                    .repeatable(List.of("R__orchestration_guard.sql"))
                    .byAccount(
                            List.of(
                                    "orchestration_definition",
                                    "orchestration_execution",
                                    "orchestration_step",
                                    "orchestration_approval",
                                    "orchestration_dead_letter",
                                    "orchestration_notification"));

    /// What the engine tells of; given to a kernel that is to have executions.
    public static final List<SubjectKind> SUBJECTS = Subjects.ALL;

    private final Definitions definitions;
    private final ExecutionCreates creates;
    private final ExecutionVerbs verbs;
    private final Approvals approvals;
    private final DeadLetters deadLetters;
    private final ExecutionReads reads;
    private final int dependencyFactor;

    /// @param kernel that is not started yet
    public Orchestrations(Kernel kernel, OrchestrationsOptions options) {
        var schemas = new Schemas(options.schemas());
        definitions =
                new Definitions(
                        kernel, new DefinitionReader(schemas, kernel.actions().names()), schemas);
        dependencyFactor = options.dependencyFactor();
        var executions =
                new Executions(kernel, definitions, new Delays(options.random(), dependencyFactor));
        kernel.add(executions);
        creates = new ExecutionCreates(kernel, executions);
        verbs = new ExecutionVerbs(kernel, executions);
        approvals = new Approvals(kernel, executions);
        deadLetters = new DeadLetters(kernel, executions, verbs);
        reads = new ExecutionReads(kernel, definitions);
        if (options.kept() != null) {
            kernel.add(new ExecutionPurger(kernel, options.kept()));
        }
        kernel.pool()
                .add(
                        new PoolWork(
                                "orchestration-calls",
                                Profiles.BUILTIN,
                                ItemKinds.HTTP,
                                options.callPlaces(),
                                options.callPlacesPerAccount()),
                        new CallSteps(
                                options.egress(),
                                () -> kernel.database().transaction(Tx::nowMillis)));
        kernel.pool()
                .add(
                        new PoolWork(
                                "orchestration-notices",
                                Profiles.BUILTIN,
                                ItemKinds.NOTIFY,
                                options.callPlaces(),
                                options.callPlacesPerAccount()),
                        new NoticeSteps(kernel.database(), options.egress()));
        kernel.pool()
                .add(
                        new PoolWork(
                                "orchestration-actions",
                                Profiles.BUILTIN,
                                ItemKinds.ACTION,
                                options.callPlaces(),
                                options.callPlacesPerAccount()),
                        new ActionSteps(kernel.actions()));
        new ExecutionActions(reads, creates::create).addTo(kernel.actions(), verbs);
    }

    public Definitions definitions() {
        return definitions;
    }

    public ExecutionVerbs executions() {
        return verbs;
    }

    public Approvals approvals() {
        return approvals;
    }

    public DeadLetters deadLetters() {
        return deadLetters;
    }

    public ExecutionReads reads() {
        return reads;
    }

    /// How many times as long as usual a failed dependency is left alone.
    public int dependencyFactor() {
        return dependencyFactor;
    }

    public Created create(NewExecution asked) {
        return creates.create(asked);
    }

    /// Finishes what waits in the lanes and stops; before the kernel is closed.
    @Override
    public void close() {
        creates.close();
    }
}
