package io.orchestrion.server.oidc;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.JSONObjectUtils;

import io.orchestrion.server.egress.ServiceClient;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/// The keys of the issuer. They are fetched by one at a time, however many ask: anew after a while,
/// in the background, and at once for a key that is not among them, though not more often than the
/// pause allows, so that made-up tokens cause no storm. When the issuer is away, the keys at hand
/// are used on for a while.
final class IssuerKeys implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);

    /// Far above any set of keys.
    private static final long ANSWER_BYTES_MAX = 512 * 1024;

    /// How long nobody asks after a failure while there are no keys at all.
    private static final Duration PAUSE_WITHOUT_KEYS = Duration.ofSeconds(5);

    /// How many requests may wait for the issuer; further ones are told to retry.
    private static final int WAITING_MAX = 64;

    /// What there is for a token.
    sealed interface Answer {
        /// There is at least one.
        record Found(List<JWK> keys) implements Answer {}

        record Unknown() implements Answer {}

        record Unavailable() implements Answer {}
    }

    private final OidcOptions options;
    private final OidcOptions.Pace pace;
    private final ServiceClient service;
    private final Semaphore waiting = new Semaphore(WAITING_MAX);
    private volatile @Nullable KeySet current;

    // These three are guarded by this object.
    private @Nullable CompletableFuture<Boolean> underWay;
    private long askedNanos;
    private @Nullable Boolean answered;

    IssuerKeys(OidcOptions options) {
        this.options = options;
        this.pace = options.pace();
        this.service = new ServiceClient(pace.connectTime(), pace.answerTime(), ANSWER_BYTES_MAX);
    }

    Answer find(JWSHeader header) {
        KeySet known = current;
        if (known == null || age(known) >= pace.kept().toNanos()) {
            if (!fetched()) {
                return new Answer.Unavailable();
            }
            return found(header, true);
        }
        if (age(known) >= pace.refresh().toNanos()) {
            // Nobody waits for this fetch.
            fetch(PAUSE_WITHOUT_KEYS);
        }
        List<JWK> matching = known.matching(header);
        if (!matching.isEmpty()) {
            return new Answer.Found(matching);
        }
        // Without an id there is nothing that newer keys could have more of.
        return header.getKeyID() == null ? new Answer.Unknown() : found(header, fetched());
    }

    private long age(KeySet keys) {
        return pace.ticker().nanos() - keys.atNanos();
    }

    private Answer found(JWSHeader header, boolean upToDate) {
        KeySet keys = current;
        List<JWK> matching = keys == null ? List.of() : keys.matching(header);
        if (!matching.isEmpty()) {
            return new Answer.Found(matching);
        }
        return upToDate ? new Answer.Unknown() : new Answer.Unavailable();
    }

    /// Asks the issuer, or waits for a thread that is asking. If it was asked a moment ago, that
    /// outcome counts.
    private boolean fetched() {
        CompletableFuture<Boolean> fetch =
                fetch(current == null ? PAUSE_WITHOUT_KEYS : pace.pause());
        Boolean known = fetch.getNow(null);
        if (known != null) {
            return known;
        }
        if (!waiting.tryAcquire()) {
            return false;
        }
        try {
            // Bounded by the times of the request to the issuer.
            return fetch.join();
        } finally {
            waiting.release();
        }
    }

    private synchronized CompletableFuture<Boolean> fetch(Duration pause) {
        if (underWay != null) {
            return underWay;
        }
        long now = pace.ticker().nanos();
        if (answered != null && now - askedNanos < pause.toNanos()) {
            return CompletableFuture.completedFuture(answered);
        }
        askedNanos = now;
        var fetch = new CompletableFuture<Boolean>();
        underWay = fetch;
        Thread.ofVirtual().name("oidc-keys").start(() -> run(fetch, now));
        return fetch;
    }

    private void run(CompletableFuture<Boolean> fetch, long now) {
        boolean done = false;
        try {
            KeySet keys = KeySet.read(get(keysUrl()), now);
            KeySet before = current;
            current = keys;
            done = true;
            if (before == null || !before.keys().equals(keys.keys())) {
                log.info("the issuer {} has {} keys", options.issuer(), keys.keys().size());
            }
        } catch (ServiceClient.NoAnswer e) {
            log.warn("{}", e.by("the issuer " + options.issuer()));
        } catch (ParseException | RuntimeException e) {
            log.warn(
                    "the issuer {} gave no keys: {}",
                    options.issuer(),
                    e instanceof Useless ? e.getMessage() : e.getClass().getSimpleName());
        } finally {
            synchronized (this) {
                answered = done;
                underWay = null;
            }
            fetch.complete(done);
        }
    }

    /// An answer that cannot be used; the message is ours.
    private static final class Useless extends RuntimeException {
        private static final long serialVersionUID = 1;

        Useless(String message) {
            super(message);
        }
    }

    private URI keysUrl() throws ServiceClient.NoAnswer, ParseException {
        URI own = options.jwksUrl();
        if (own != null) {
            return own;
        }
        String base = options.issuer().replaceFirst("/+$", "");
        Map<String, Object> document =
                JSONObjectUtils.parse(get(URI.create(base + "/.well-known/openid-configuration")));
        if (!options.issuer().equals(document.get("issuer"))) {
            throw new Useless("its discovery document is another issuer's");
        }
        if (!(document.get("jwks_uri") instanceof String text)) {
            throw new Useless("its discovery document names no jwks_uri");
        }
        URI url = URI.create(text);
        if (!trusted(url)) {
            throw new Useless("its jwks_uri is neither https nor on this machine");
        }
        return url;
    }

    /// Keys that came in the open could be anybody's.
    private static boolean trusted(URI url) {
        String host = url.getHost();
        return host != null
                && ("https".equals(url.getScheme())
                        || ("http".equals(url.getScheme())
                                && List.of("localhost", "127.0.0.1", "[::1]").contains(host)));
    }

    private String get(URI url) throws ServiceClient.NoAnswer {
        HttpResponse<String> response =
                service.exchange(
                        HttpRequest.newBuilder(url).header("Accept", "application/json").GET());
        if (response.statusCode() != 200) {
            throw new Useless("status " + response.statusCode());
        }
        return response.body();
    }

    @Override
    public void close() {
        service.close();
    }
}
