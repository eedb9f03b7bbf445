package io.orchestrion.server.runs.artifacts;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.artifact.Artifact;
import io.orchestrion.runs.artifact.ArtifactQuery;
import io.orchestrion.runs.artifact.ArtifactState;
import io.orchestrion.runs.artifact.Artifacts;
import io.orchestrion.runs.artifact.Artifacts.Got;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.billing.PublicAddress;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.runs.RunAnswers;
import io.orchestrion.server.runs.RunError;
import io.orchestrion.server.runs.RunOnce;
import io.orchestrion.server.runs.RunPaths;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Shows artifacts and signs their addresses.
final class ArtifactHandlers {
    private static final long MILLIS = 1000;

    private final Artifacts artifacts;
    private final RunOnce once;
    private final PublicAddress address;

    ArtifactHandlers(Artifacts artifacts, RunOnce once, PublicAddress address) {
        this.artifacts = artifacts;
        this.once = once;
        this.address = address;
    }

    void addTo(Router.Builder router) {
        var upload = new UploadHandler(artifacts, once);
        var download = new DownloadHandler(artifacts);
        router.handle(ArtifactEndpoints.UPLOAD, upload::upload)
                .handle(ArtifactEndpoints.LIST, this::list)
                .handle(ArtifactEndpoints.GET, this::get)
                .handle(ArtifactEndpoints.CONTENT, download::content)
                .handle(ArtifactEndpoints.SHARE, this::share)
                .handle(ArtifactEndpoints.SHARED, download::shared);
    }

    private Answer list(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        Values query = call.queryValues();
        int limit = query.int32("limit");
        String state = query.textOrNull("state");
        UUID run = RunPaths.run(call);
        UUID before = cursor.place();
        List<Artifact> found =
                run == null
                        ? null
                        : artifacts.list(
                                new ArtifactQuery(
                                        Callers.account(call),
                                        run,
                                        state == null
                                                ? null
                                                : ArtifactState.named(state).orElseThrow(),
                                        before == null ? ArtifactQuery.NEWEST : before,
                                        limit + 1));
        return run == null || found == null
                ? RunAnswers.error(call, RunError.RUN_NOT_FOUND)
                : Pages.page(
                        found,
                        limit,
                        Artifact::id,
                        ArtifactJson::write,
                        ArtifactJson.guidanceOfRun(run));
    }

    private Answer get(Call call) {
        UUID id = RunPaths.id(call, "artifact_id", PublicId.ARTIFACT);
        Got got = id == null ? new Got.Missing() : artifacts.get(Callers.account(call), id);
        return switch (got) {
            case Got.Missing() -> RunAnswers.error(call, RunError.ARTIFACT_NOT_FOUND);
            case Got.Expired(var artifact) -> shown(artifact);
            case Got.Here(var artifact, long _) -> shown(artifact);
        };
    }

    private static Answer shown(Artifact artifact) {
        return Pages.json(
                200, out -> ArtifactJson.write(out, artifact), ArtifactJson.guidance(artifact));
    }

    private Answer share(Call call) {
        UUID id = RunPaths.id(call, "artifact_id", PublicId.ARTIFACT);
        long seconds = call.json().integer("expires_in_seconds");
        return id == null
                ? RunAnswers.error(call, RunError.ARTIFACT_NOT_FOUND)
                : once.once(call, tx -> share(tx, call, id, seconds));
    }

    private Answer share(Tx tx, Call call, UUID id, long seconds) throws SQLException {
        UUID account = Callers.account(call);
        Answer refusal = DownloadHandler.refusal(call, artifacts.get(tx, account, id));
        if (refusal != null) {
            return refusal;
        }
        long until = tx.nowMillis() / MILLIS + seconds;
        String url =
                address.of(
                        ArtifactJson.path(id)
                                + "/shared?org_id="
                                + account
                                + "&until="
                                + until
                                + "&signature="
                                + artifacts.addresses().sign(account, id, until));
        return Pages.json(
                200,
                out -> out.text("url", url).instant("expires_at", until * MILLIS),
                AgentContract.of(true, ArtifactJson.download(id).best()));
    }
}
