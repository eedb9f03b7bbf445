package io.orchestrion.server.oidc;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// An issuer of tokens on this machine, with real keys. It signs with what the JDK has, and not
/// with the library that is to check it.
public final class LocalIssuer implements AutoCloseable {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    /// A key under its name.
    ///
    /// @param jwkMore what its published form says beside, as JSON members
    public record SigningKey(String kid, KeyPair pair, String jwkMore) {
        public static SigningKey rsa(String kid) {
            return rsa(kid, 2048);
        }

        public static SigningKey rsa(String kid, int bits) {
            return made(kid, "RSA", generator -> generator.initialize(bits));
        }

        public static SigningKey ec(String kid, String curve) {
            return made(
                    kid, "EC", generator -> generator.initialize(new ECGenParameterSpec(curve)));
        }

        public static SigningKey ed25519(String kid) {
            return made(kid, "Ed25519", _ -> {});
        }

        private interface Setup {
            void on(KeyPairGenerator generator) throws GeneralSecurityException;
        }

        private static SigningKey made(String kid, String algorithm, Setup setup) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
                setup.on(generator);
                return new SigningKey(kid, generator.generateKeyPair(), "");
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        public SigningKey named(String otherKid) {
            return new SigningKey(otherKid, pair, jwkMore);
        }

        public SigningKey saying(String more) {
            return new SigningKey(kid, pair, more);
        }

        String jwk() {
            String key =
                    switch (pair.getPublic()) {
                        case RSAPublicKey rsa -> new RSAKey.Builder(rsa).build().toJSONString();
                        case ECPublicKey ec ->
                                new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec)
                                        .build()
                                        .toJSONString();
                        default ->
                                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"}"
                                        .formatted(
                                                BASE64.encodeToString(
                                                        Arrays.copyOfRange(
                                                                pair.getPublic().getEncoded(),
                                                                12,
                                                                44)));
                    };
            return key.substring(0, key.length() - 1) + ",\"kid\":\"" + kid + "\"" + jwkMore + "}";
        }

        public String sign(String algorithm, String content) {
            try {
                Signature signature = signature(algorithm);
                signature.initSign(pair.getPrivate());
                signature.update(content.getBytes(StandardCharsets.US_ASCII));
                return BASE64.encodeToString(signature.sign());
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        private static Signature signature(String algorithm) throws GeneralSecurityException {
            String bits = algorithm.substring(2);
            if (algorithm.startsWith("RS")) {
                return Signature.getInstance("SHA" + bits + "withRSA");
            }
            if (algorithm.startsWith("ES")) {
                return Signature.getInstance("SHA" + bits + "withECDSAinP1363Format");
            }
            if (algorithm.startsWith("PS")) {
                Signature pss = Signature.getInstance("RSASSA-PSS");
                var hash = new MGF1ParameterSpec("SHA-" + bits);
                pss.setParameter(
                        new PSSParameterSpec(
                                "SHA-" + bits, "MGF1", hash, Integer.parseInt(bits) / 8, 1));
                return pss;
            }
            return Signature.getInstance("Ed25519");
        }
    }

    private final HttpServer server;
    private final List<SigningKey> published = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Behaviour behaviour = Behaviour.GOOD;
    private volatile CountDownLatch held = new CountDownLatch(0);

    /// How it answers.
    public enum Behaviour {
        GOOD,
        BROKEN,
        REDIRECTING,
        NO_JSON,
        ENDLESS,
        HANGING,
        OF_ANOTHER_ISSUER,
        KEYS_IN_THE_OPEN
    }

    public LocalIssuer(SigningKey... keys) {
        published.addAll(List.of(keys));
        try {
            server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public String keysUrl() {
        return url() + "/keys";
    }

    public int asked() {
        return asked.get();
    }

    public void publish(SigningKey... keys) {
        published.clear();
        published.addAll(List.of(keys));
    }

    public void behave(Behaviour other) {
        behaviour = other;
        held.countDown();
        held = new CountDownLatch(other == Behaviour.HANGING ? 1 : 0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        try (exchange) {
            boolean keys = exchange.getRequestURI().getPath().equals("/keys");
            switch (behaviour) {
                case HANGING -> held.await();
                case BROKEN -> send(exchange, 500, "{\"keys\":[]}");
                case REDIRECTING -> {
                    exchange.getResponseHeaders().add("Location", url() + "/elsewhere");
                    send(exchange, 302, "");
                }
                case NO_JSON -> send(exchange, 200, "<html>");
                case ENDLESS -> {
                    exchange.sendResponseHeaders(200, 0);
                    byte[] chunk = " ".repeat(8192).getBytes(StandardCharsets.US_ASCII);
                    for (int i = 0; i < 10_000; i++) {
                        exchange.getResponseBody().write(chunk);
                    }
                }
                case GOOD -> send(exchange, 200, keys ? keys() : discovery(url(), keysUrl()));
                case OF_ANOTHER_ISSUER ->
                        send(
                                exchange,
                                200,
                                keys ? keys() : discovery("https://other.example", keysUrl()));
                case KEYS_IN_THE_OPEN ->
                        send(
                                exchange,
                                200,
                                keys ? keys() : discovery(url(), "http://192.0.2.1/keys"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String discovery(String issuer, String keysUrl) {
        return "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}".formatted(issuer, keysUrl);
    }

    private String keys() {
        return published.stream()
                .map(SigningKey::jwk)
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /// A token with this header and these claims, both as JSON, signed over exactly these.
    public static String token(String header, String claims, SigningKey by, String algorithm) {
        String content = encoded(header) + "." + encoded(claims);
        return content + "." + by.sign(algorithm, content);
    }

    /// The same with the usual header.
    public static String token(String claims, SigningKey by, String algorithm) {
        return token(
                "{\"alg\":\"%s\",\"kid\":\"%s\",\"typ\":\"JWT\"}".formatted(algorithm, by.kid()),
                claims,
                by,
                algorithm);
    }

    public static String encoded(String text) {
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        held.countDown();
        server.stop(0);
    }
}
