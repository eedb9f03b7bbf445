package io.orchestrion.server.runs.artifacts;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.runs.artifact.Artifacts;
import io.orchestrion.runs.objects.ObjectStore;
import io.orchestrion.server.billing.PublicAddress;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.runs.RunAnswers;
import io.orchestrion.server.runs.RunError;
import io.orchestrion.server.runs.RunOnce;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.security.SecureRandom;

/// The artifacts of one server: their store, their sweepers and their endpoints.
public final class OpenArtifacts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenArtifacts.class);

    private final @Nullable ObjectStore store;
    private final @Nullable Artifacts artifacts;
    private final @Nullable String fault;

    private OpenArtifacts(
            @Nullable ObjectStore store, @Nullable Artifacts artifacts, @Nullable String fault) {
        this.store = store;
        this.artifacts = artifacts;
        this.fault = fault;
    }

    /// Before the kernel starts. Where the store cannot be opened, the fault says why.
    public static OpenArtifacts open(Kernel kernel, ArtifactSettings settings) {
        StorePlace place = settings.place();
        if (place == null || settings.fault() != null) {
            return shut(String.valueOf(settings.fault()));
        }
        try {
            ObjectStore store = place.open(new SecureRandom(), kernel.database().failpoints());
            return new OpenArtifacts(store, new Artifacts(kernel, store, settings.options()), null);
        } catch (IOException e) {
            return shut("artifacts cannot be kept in " + place + ": " + reason(e));
        } catch (IllegalArgumentException e) {
            return shut("artifacts cannot be kept in " + place + ": " + e.getMessage());
        }
    }

    private static OpenArtifacts shut(String why) {
        String fault = why + ". The runs door does nothing until this is mended.";
        log.error("the runs door is shut: {}", fault);
        return new OpenArtifacts(null, null, fault);
    }

    /// Exceptions of files have a name that says what, and a path.
    private static String reason(IOException e) {
        String kind = e.getClass().getSimpleName();
        return kind.equals("IOException")
                ? String.valueOf(e.getMessage())
                : kind + " " + e.getMessage();
    }

    /// Why nothing can be kept; null when all is well.
    public @Nullable String fault() {
        return fault;
    }

    /// Null with a fault.
    public @Nullable Artifacts artifacts() {
        return artifacts;
    }

    public void addTo(Router.Builder router, RunOnce once, PublicAddress address) {
        if (artifacts != null) {
            new ArtifactHandlers(artifacts, once, address).addTo(router);
            return;
        }
        // The gates of the door let nobody through to these.
        for (Endpoint endpoint : ArtifactEndpoints.CATALOGUE) {
            router.handle(endpoint, call -> RunAnswers.error(call, RunError.OVERLOADED));
        }
    }

    @Override
    public void close() {
        if (store != null) {
            try {
                store.close();
            } catch (Exception e) {
                log.warn("the store of artifacts could not be closed", e);
            }
        }
    }
}
