package io.orchestrion.server.runs.artifacts;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.runs.objects.FileStore;
import io.orchestrion.runs.objects.ObjectStore;
import io.orchestrion.runs.objects.S3Options;
import io.orchestrion.runs.objects.S3Store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/// Where the bytes of artifacts are kept.
public sealed interface StorePlace {
    /// @throws IOException when nothing can be kept there
    ObjectStore open(RandomGenerator random, Failpoints failpoints) throws IOException;

    /// Encrypted files.
    ///
    /// @param keyFile holds the secret; only its owner may be able to read it
    record Files(Path folder, Path keyFile) implements StorePlace {
        @Override
        public ObjectStore open(RandomGenerator random, Failpoints failpoints) throws IOException {
            return FileStore.in(folder, keyFile, random, failpoints);
        }

        @Override
        public String toString() {
            return folder.toString();
        }
    }

    /// A service that speaks S3. It is not asked anything yet: a server starts also while it is
    /// away.
    record S3(S3Options options) implements StorePlace {
        @Override
        public ObjectStore open(RandomGenerator random, Failpoints failpoints) {
            return new S3Store(options, failpoints);
        }

        @Override
        public String toString() {
            return options.toString();
        }
    }
}
