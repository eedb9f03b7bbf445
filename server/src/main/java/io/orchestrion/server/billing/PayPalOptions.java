package io.orchestrion.server.billing;

import java.net.URI;
import java.time.Duration;

/// How to reach PayPal and how long that may take.
///
/// @param requestTimeout for one whole answer, its body included
public record PayPalOptions(
        URI url,
        String clientId,
        String clientSecret,
        Duration connectTimeout,
        Duration requestTimeout) {

    public static PayPalOptions of(URI url, String clientId, String clientSecret) {
        return new PayPalOptions(
                url, clientId, clientSecret, Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    public PayPalOptions withTimeouts(Duration connect, Duration request) {
        return new PayPalOptions(url, clientId, clientSecret, connect, request);
    }

    @Override
    public String toString() {
        return "PayPalOptions[" + url + ", credentials hidden]";
    }
}
