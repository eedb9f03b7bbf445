package io.orchestrion.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.engine.RunsOptions.Attempts;
import io.orchestrion.runs.engine.RunsOptions.Drivers;
import io.orchestrion.runs.engine.RunsOptions.Heart;
import io.orchestrion.runs.llm.AnswerForm;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.runs.RunSetting;
import io.orchestrion.server.runs.RunSettings;
import io.orchestrion.server.runs.tuning.BoundSetting;
import io.orchestrion.server.runs.tuning.PolicySetting;
import io.orchestrion.server.runs.tuning.RunTuning;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

    /// every time of a run can be set, and one that is out of bounds shuts the door.
    @Test
    void every_time_of_a_run_can_be_set() throws Exception {
        assertThat(RunSetting.read(read(Map.of())).tuning()).isEqualTo(RunTuning.USUAL);
        var environment = new HashMap<String, String>();
        List<String> times =
                List.of(
                        "PENDING",
                        "RUNNING",
                        "PAUSED",
                        "RESUMING",
                        "RETRYING",
                        "AGENT",
                        "TASK",
                        "STEP",
                        "PLANNING");
        for (int i = 0; i < times.size(); i++) {
            environment.put(
                    "ORCHESTRION_RUN_" + times.get(i) + "_TIMEOUT_SECONDS", String.valueOf(i + 1));
        }
        environment.put("ORCHESTRION_RUN_HEARTBEAT_SECONDS", "2");
        environment.put("ORCHESTRION_RUN_HEARTBEAT_TIMEOUT_SECONDS", "9");
        environment.put("ORCHESTRION_RUN_AFTER_OUTAGE", "adopt");
        RunTuning tuning = RunSetting.read(read(environment)).tuning();

        assertThat(tuning.usual().timeouts())
                .isEqualTo(
                        new Timeouts(
                                1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000));
        assertThat(tuning.heart())
                .isEqualTo(
                        new Heart(Duration.ofSeconds(2), Duration.ofSeconds(9), AfterOutage.ADOPT));
        assertThat(
                        RunSetting.read(read(Map.of("ORCHESTRION_RUN_PAUSED_TIMEOUT_SECONDS", "0")))
                                .fault())
                .contains("run-paused-timeout-seconds");
    }

    @Test
    void every_bound_price_and_threshold_of_runs_can_be_set() throws Exception {
        var environment = new HashMap<String, String>();
        for (Setting setting :
                Stream.of(BoundSetting.ALL, PolicySetting.ALL).flatMap(List::stream).toList()) {
            environment.put(setting.env(), "17");
        }
        RunTuning tuning = RunSetting.read(read(environment)).tuning();

        assertThat(tuning.usual())
                .usingRecursiveComparison()
                .ignoringFields("timeouts")
                .isEqualTo(new Bounds(17, 17, 17, 17, 17, 17, Timeouts.USUAL));
        assertThat(tuning.attempts()).isEqualTo(new Attempts(17, 17, 17, 17));
        assertThat(tuning.drivers()).isEqualTo(new Drivers(17, 17));
        assertThat(tuning.kept()).isEqualTo(Duration.ofDays(17));
        assertThat(tuning.prices().perToken()).isEqualByComparingTo("17");
        assertThat(tuning.prices().minimumPerStep()).isEqualByComparingTo("17");
        assertThat(tuning.prices().minimumPerAttempt()).isEqualByComparingTo("17");
        assertThat(tuning.policy())
                .usingRecursiveComparison()
                .ignoringFields("attemptCredits")
                .isEqualTo(
                        new PolicySettings(
                                17, 17, 0.17, 17_000, 17, 0.17, 17, 0.17, 17, BigDecimal.TEN));
    }

    @Test
    void settings_that_do_not_fit_together_shut_the_door() throws Exception {
        assertThat(RunSetting.read(read(Map.of("ORCHESTRION_RUN_HEARTBEAT_SECONDS", "50"))).fault())
                .contains(
                        "run-heartbeat-timeout-seconds must be at least twice"
                                + " run-heartbeat-seconds");
        assertThat(
                        RunSetting.read(
                                        read(
                                                Map.of(
                                                        "ORCHESTRION_RUN_RETRY_DELAY_MAX_MILLIS",
                                                        "50")))
                                .fault())
                .contains("run-retry-delay-max-millis must not be less than");
    }
}
