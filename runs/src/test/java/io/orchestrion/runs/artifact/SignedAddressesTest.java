package io.orchestrion.runs.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.UUID;

/// A signature is good for one artifact, one account and one end, on every node.
class SignedAddressesTest {
    @TempDir private Path folder;
    private ArtifactFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ArtifactFixture(folder, ArtifactOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_signature_is_good_for_exactly_what_was_signed() {
        UUID artifact = UUID.randomUUID();
        SignedAddresses addresses = fixture.artifacts.addresses();
        String signature = addresses.sign(fixture.account, artifact, 1000);
        assertThat(signature).matches("[A-Za-z0-9_-]{43}");
        try (var other = fixture.secondNode()) {
            SignedAddresses there = other.artifacts().addresses();
            assertThat(there.isSigned(fixture.account, artifact, 1000, signature)).isTrue();
            assertThat(there.isSigned(fixture.account, artifact, 1001, signature)).isFalse();
            assertThat(there.isSigned(fixture.account, UUID.randomUUID(), 1000, signature))
                    .isFalse();
            assertThat(there.isSigned(fixture.test.account(), artifact, 1000, signature)).isFalse();
            assertThat(there.isSigned(UUID.randomUUID(), artifact, 1000, signature)).isFalse();
        }
        UUID stranger = fixture.test.account();
        assertThat(addresses.sign(stranger, artifact, 1000)).isNotEqualTo(signature);
        assertThat(addresses.isSigned(stranger, artifact, 1000, signature)).isFalse();
        for (int i = 0; i < signature.length() - 1; i++) {
            char other = signature.charAt(i) == 'A' ? 'B' : 'A';
            String changed = signature.substring(0, i) + other + signature.substring(i + 1);
            assertThat(addresses.isSigned(fixture.account, artifact, 1000, changed)).isFalse();
        }
        assertThat(addresses.isSigned(fixture.account, artifact, 1000, "")).isFalse();
        assertThat(addresses.isSigned(fixture.account, artifact, 1000, signature + "=")).isFalse();
    }
}
