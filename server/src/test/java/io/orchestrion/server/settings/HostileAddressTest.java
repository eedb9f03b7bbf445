package io.orchestrion.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.runs.RunsDoor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Addresses of services that runs use, as no operator means them.
class HostileAddressTest {
    /// Settings that name a service.
    @Test
    void an_address_that_is_none_shuts_the_door(@TempDir Path home) {
        for (String setting :
                List.of("RUN_LLM_URL", "RUN_ON_CALL_URL", "RUN_ARTIFACTS_S3_ENDPOINT")) {
            for (String url :
                    List.of(
                            "file:///etc/passwd",
                            "ftp://host/",
                            "gopher://host/",
                            "javascript:alert(1)",
                            "jar:file:///a!/b",
                            "//host",
                            "host",
                            "http://",
                            "http:///path",
                            "http://user@host/",
                            "http://user:secret-word@host/",
                            "http://host/?a=b",
                            "http://host/#f",
                            "http://ho st/",
                            "http://host\r\nX: y/",
                            "http://[::1/",
                            "http://host:port/")) {
                assertThat(problem(home, "ORCHESTRION_" + setting, url))
                        .as(setting + " " + url)
                        .isNotEmpty()
                        .doesNotContain("secret-word");
            }
        }
    }

    /// What is said against it; empty where it is taken.
    private static String problem(Path home, String name, String url) {
        try {
            Settings settings =
                    new SettingsReader(Doors.SETTINGS, Map.of(name, url), home).read(Map.of());
            return String.join("; ", settings.faults(RunsDoor.NAME));
        } catch (StartFailure e) {
            return e.toString();
        }
    }
}
