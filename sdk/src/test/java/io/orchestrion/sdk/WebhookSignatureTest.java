package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

class WebhookSignatureTest {
    static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String RIGHT = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    static final Instant THEN = Instant.ofEpochSecond(1614265330);

    private static boolean verifies(String id, String time, String signatures, Instant now) {
        return WebhookSignature.of(SECRET)
                .verifies(id, time, signatures, BODY, now, Duration.ofMinutes(5));
    }

    @Test
    void one_of_several_signatures_is_enough() {
        assertThat(verifies(ID, "1614265330", RIGHT, THEN)).isTrue();
        assertThat(verifies(ID, "1614265330", "v1,AAAA v2,x " + RIGHT, THEN.plusSeconds(300)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "msg_other | 1614265330 | " + RIGHT + " | 0",
                ID + " | 1614265331 | " + RIGHT + " | 0",
                ID + " | 1614265330 | " + RIGHT + " | 301",
                ID + " | 1614265330 | " + RIGHT + " | -301",
                ID + " | 1614265330 | v1,!! | 0",
                ID + " | 1614265330 | v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= | 0",
                ID + " | soon | " + RIGHT + " | 0",
                ID + " | | " + RIGHT + " | 0",
                ID + " | 1614265330 | | 0",
            })
    void anything_else_is_not(String id, String time, String signatures, long later) {
        assertThat(verifies(id, time, signatures, THEN.plusSeconds(later))).isFalse();
    }
}
