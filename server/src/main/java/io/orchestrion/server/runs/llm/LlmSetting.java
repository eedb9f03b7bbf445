package io.orchestrion.server.runs.llm;

import io.orchestrion.runs.llm.AnswerForm;
import io.orchestrion.runs.llm.LlmKey;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.runs.llm.LlmTimes;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// The settings of the model that plans runs whose planner has the mode `openai`.
public final class LlmSetting {
    private LlmSetting() {}

    public static final Setting RUN_LLM_URL =
            Setting.of(
                    "RUN_LLM_URL",
                    new WebAddress(false),
                    null,
                    "Address of a service with the interface of OpenAI, without /chat/completions:"
                        + " it plans the runs that ask for it. Example: https://api.openai.com/v1,"
                        + " or http://127.0.0.1:11434/v1 for a model on this machine. Without it,"
                        + " such runs are refused, and others are planned by workers.");

    public static final Setting RUN_LLM_KEY =
            Setting.of(
                            "RUN_LLM_KEY",
                            new Text("TEXT", "any text"),
                            null,
                            "Key for that service. It has no option, because every user of a"
                                    + " machine can read command lines.")
                    .asSecret();

    public static final Setting RUN_LLM_KEY_FILE =
            Setting.of(
                            "RUN_LLM_KEY_FILE",
                            new Text("FILE", "a file"),
                            null,
                            "File whose first line is the key of run-llm-key.")
                    .asPath()
                    .holding(RUN_LLM_KEY);

    public static final Setting RUN_LLM_MODEL =
            Setting.of(
                    "RUN_LLM_MODEL",
                    new Text("NAME", "a name"),
                    null,
                    "Name of the model, as the service knows it. Required with run-llm-url.");

    public static final Setting RUN_LLM_FORM =
            Setting.of(
                    "RUN_LLM_FORM",
                    new Choice(AnswerForm.words()),
                    AnswerForm.JSON_SCHEMA.word(),
                    "How the model is made to answer with JSON. Services differ in what they know:"
                            + " json_schema sends the schema of the answer, json_object asks for"
                            + " any object, tool_call has the model call a tool with it.");

    public static final Setting RUN_LLM_TIMEOUT_SECONDS =
            Setting.of(
                    "RUN_LLM_TIMEOUT_SECONDS",
                    new Whole(1, 3_600),
                    "300",
                    "Longest time for one answer of the model.");

    public static final Setting RUN_LLM_QUIET_SECONDS =
            Setting.of(
                    "RUN_LLM_QUIET_SECONDS",
                    new Whole(1, 3_600),
                    "60",
                    "Longest time in which nothing more of an answer comes. After it the answer is"
                            + " given up.");

    public static final Setting RUN_LLM_ANSWER_TOKENS =
            Setting.of(
                    "RUN_LLM_ANSWER_TOKENS",
                    new Whole(16, 10_000_000),
                    null,
                    "Most tokens of one answer; the bound of the service unless set.");

    public static final Setting RUN_LLM_REPAIRS =
            Setting.of(
                    "RUN_LLM_REPAIRS",
                    new Whole(0, 10),
                    "1",
                    "How often the model is told what is wrong with its plan and asked again,"
                            + " before the attempt fails.");

    public static final Setting RUN_LLM_CALLS =
            Setting.of(
                    "RUN_LLM_CALLS",
                    new Whole(1, 1_000),
                    "8",
                    "Plans that this server has the model make at a time.");

    public static final Setting RUN_LLM_CALLS_PER_ACCOUNT =
            Setting.of(
                    "RUN_LLM_CALLS_PER_ACCOUNT",
                    new Whole(1, 1_000),
                    "2",
                    "How many of them may be of one account, so that no account has all places.");

    public static final List<Setting> ALL =
            List.of(
                    RUN_LLM_URL,
                    RUN_LLM_KEY,
                    RUN_LLM_KEY_FILE,
                    RUN_LLM_MODEL,
                    RUN_LLM_FORM,
                    RUN_LLM_TIMEOUT_SECONDS,
                    RUN_LLM_QUIET_SECONDS,
                    RUN_LLM_ANSWER_TOKENS,
                    RUN_LLM_REPAIRS,
                    RUN_LLM_CALLS,
                    RUN_LLM_CALLS_PER_ACCOUNT);

    /// What is wrong with the settings together; null when nothing is.
    public static @Nullable String fault(Settings settings) {
        return settings.find(RUN_LLM_URL) != null && settings.find(RUN_LLM_MODEL) == null
                ? RUN_LLM_MODEL.key() + " is required with " + RUN_LLM_URL.key()
                : null;
    }

    /// Null where no model is set.
    public static @Nullable LlmOptions read(Settings settings) {
        String url = settings.find(RUN_LLM_URL);
        String model = settings.find(RUN_LLM_MODEL);
        if (url == null || model == null) {
            return null;
        }
        String key = settings.secret(RUN_LLM_KEY);
        return new LlmOptions(
                url.endsWith("/") ? url.substring(0, url.length() - 1) : url,
                key == null ? null : new LlmKey(key),
                model,
                AnswerForm.named(settings.text(RUN_LLM_FORM)).orElseThrow(),
                new LlmTimes(
                        LlmTimes.USUAL.connect(),
                        Duration.ofSeconds(settings.whole(RUN_LLM_TIMEOUT_SECONDS)),
                        Duration.ofSeconds(settings.whole(RUN_LLM_QUIET_SECONDS))),
                LlmOptions.ANSWER_BYTES,
                settings.find(RUN_LLM_ANSWER_TOKENS) == null
                        ? null
                        : Integer.valueOf(settings.whole(RUN_LLM_ANSWER_TOKENS)),
                settings.whole(RUN_LLM_REPAIRS),
                settings.whole(RUN_LLM_CALLS),
                settings.whole(RUN_LLM_CALLS_PER_ACCOUNT));
    }
}
