package io.orchestrion.runs.crash;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.artifact.ArtifactListener;
import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.runs.artifact.Artifacts;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.runs.objects.FileStore;
import io.orchestrion.runs.objects.ObjectStore;
import io.orchestrion.runs.output.Outputs;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/// A node with all of runs: the engine, artifacts in a folder, somebody on call. Nothing runs by
/// itself in it.
final class CrashNode implements AutoCloseable {
    static final Duration KEPT = Duration.ofDays(60);
    private static final long OUTPUT_BYTES = 1_000_000;

    /// Somebody who hears every call.
    private static final Egress HEARD =
            new Egress() {
                @Override
                public @Nullable String knownFault(String url) {
                    return null;
                }

                @Override
                public @Nullable String fault(UUID account, String url) {
                    return null;
                }

                @Override
                public CallOutcome call(UUID account, Call call) {
                    return new CallOutcome.Answered(204, Map.of(), new byte[0]);
                }
            };

    final Kernel kernel;
    final Runs runs;
    final ObjectStore store;
    final Artifacts artifacts;
    final Outputs outputs;
    private @Nullable Connection looks;

    CrashNode(Kernel kernel, Path folder) {
        this.kernel = kernel;
        RunsOptions usual =
                RunsOptions.usual(new JsonSchemas(kernel.database().failpoints()), new Random(1));
        runs =
                new Runs(
                        kernel,
                        new RunsOptions(
                                usual.usual(),
                                usual.attempts(),
                                usual.policy(),
                                usual.plans(),
                                usual.prices(),
                                usual.initial(),
                                usual.heart(),
                                usual.drivers(),
                                new RunsOptions.Given(
                                        usual.given().schemas(),
                                        usual.given().random(),
                                        new RunsOptions.OnCallLine(
                                                HEARD,
                                                OnCallOptions.of("https://on-call.test/", null))),
                                KEPT));
        runs.add(new ArtifactListener(kernel.subjects()));
        try {
            store =
                    FileStore.in(
                            folder.resolve("artifacts"),
                            folder.resolve("artifacts.key"),
                            new Random(),
                            kernel.database().failpoints());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        artifacts = new Artifacts(kernel, store, ArtifactOptions.DEFAULT);
        outputs = new Outputs(kernel, OUTPUT_BYTES);
    }

    static KernelOptions options(KernelOptions options) {
        return options.withSubjects(Runs.SUBJECTS)
                .withSchema(options.schema().plus(List.of(RunsSchema.PART)));
    }

    /// A connection to look at the tables with.
    Connection looks() throws SQLException {
        Connection open = looks;
        if (open == null) {
            open = kernel.database().connect();
            looks = open;
        }
        return open;
    }

    @Override
    public void close() throws SQLException {
        outputs.close();
        kernel.close();
        if (looks != null) {
            looks.close();
        }
    }
}
