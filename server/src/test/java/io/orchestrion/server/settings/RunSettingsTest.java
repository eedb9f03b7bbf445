package io.orchestrion.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.llm.AnswerForm;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.runs.RunSetting;
import io.orchestrion.server.runs.RunSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// What the operator sets of the model and of whoever is on call.
class RunSettingsTest {
    @TempDir Path home;

    private Settings read(Map<String, String> environment) throws Exception {
        return new SettingsReader(Doors.SETTINGS, environment, home).read(Map.of());
    }

    ///
    @Test
    void there_is_no_model_unless_one_is_set() throws Exception {
        RunSettings settings = RunSetting.read(read(Map.of()));

        assertThat(settings.llm()).isNull();
        assertThat(settings.onCall()).isNull();
        assertThat(settings.fault()).isNull();
    }

    @Test
    void a_model_has_an_address_a_name_and_times() throws Exception {
        Path key = Files.writeString(home.resolve("key"), "sk-secret\n");
        Settings settings =
                read(
                        Map.of(
                                "ORCHESTRION_RUN_LLM_URL",
                                "http://127.0.0.1:11434/v1/",
                                "ORCHESTRION_RUN_LLM_MODEL",
                                "model-1",
                                "ORCHESTRION_RUN_LLM_KEY_FILE",
                                key.toString(),
                                "ORCHESTRION_RUN_LLM_FORM",
                                "tool_call",
                                "ORCHESTRION_RUN_LLM_QUIET_SECONDS",
                                "5"));
        LlmOptions options = RunSetting.read(settings).llm();

        assertThat(options.url()).isEqualTo("http://127.0.0.1:11434/v1");
        assertThat(options.key().secret()).isEqualTo("sk-secret");
        assertThat(options.model()).isEqualTo("model-1");
        assertThat(options.form()).isEqualTo(AnswerForm.TOOL_CALL);
        assertThat(options.times().quiet()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.times().whole()).isEqualTo(Duration.ofSeconds(300));
        assertThat(options.answerTokens()).isNull();
        assertThat(settings + options.toString()).doesNotContain("sk-secret");
    }

    @Test
    void an_address_without_a_model_shuts_the_door_and_says_why() throws Exception {
        RunSettings settings =
                RunSetting.read(read(Map.of("ORCHESTRION_RUN_LLM_URL", "https://llm.example/v1")));

        assertThat(settings.fault()).contains("run-llm-model is required with run-llm-url");
        assertThat(settings.llm()).isNull();
    }

    @Test
    void on_call_has_an_address_and_a_token() throws Exception {
        Settings settings =
                read(
                        Map.of(
                                "ORCHESTRION_RUN_ON_CALL_URL",
                                "https://on-call.example/hook",
                                "ORCHESTRION_RUN_ON_CALL_TOKEN",
                                "on-call-token-9"));
        RunSettings read = RunSetting.read(settings);

        assertThat(read.onCall().url()).isEqualTo("https://on-call.example/hook");
        assertThat(read.onCall().token()).isEqualTo("on-call-token-9");
        assertThat(settings + read.toString()).doesNotContain("on-call-token-9");
    }
}
