package io.orchestrion.sdk;

import java.net.URI;
import java.time.Instant;

/// An address under which anybody gets an artifact for a while; from [RunArtifacts#share].
///
/// ```java
/// SharedAddress address = client.runs().artifacts().share("artifact_3", Duration.ofHours(1));
/// System.out.println(address.url() + " until " + address.expiresAt());
/// ```
public record SharedAddress(URI url, Instant expiresAt) {}
