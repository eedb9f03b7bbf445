package io.orchestrion.runs.llm;

import org.jspecify.annotations.Nullable;

/// Which model plans runs, as the operator has set it.
///
/// @param url of the service without `/chat/completions`, such as `https://api.example.com/v1`
/// @param key null for a service that asks for none
/// @param form how it is made to answer with JSON
/// @param answerBytes bytes of one streamed answer
/// @param answerTokens the most that the model may write; null for its own bound
/// @param repairs how often it is told what is wrong with its plan and asked again, in one attempt
/// @param places plans that this node has made at once
/// @param perAccount how many of them may be of one account
public record LlmOptions(
        String url,
        @Nullable LlmKey key,
        String model,
        AnswerForm form,
        LlmTimes times,
        int answerBytes,
        @Nullable Integer answerTokens,
        int repairs,
        int places,
        int perAccount) {
    public static final int ANSWER_BYTES = 8 << 20;
    public static final int REPAIRS = 1;
    public static final int PLACES = 8;
    public static final int PER_ACCOUNT = 2;

    public LlmOptions {
        if (url.endsWith("/") || model.isBlank() || answerBytes < 1 || repairs < 0) {
            throw new IllegalArgumentException("no options of a model");
        }
    }

    public static LlmOptions of(String url, @Nullable LlmKey key, String model) {
        return new LlmOptions(
                url,
                key,
                model,
                AnswerForm.JSON_SCHEMA,
                LlmTimes.USUAL,
                ANSWER_BYTES,
                null,
                REPAIRS,
                PLACES,
                PER_ACCOUNT);
    }

    public LlmOptions withForm(AnswerForm other) {
        return new LlmOptions(
                url,
                key,
                model,
                other,
                times,
                answerBytes,
                answerTokens,
                repairs,
                places,
                perAccount);
    }

    public LlmOptions withTimes(LlmTimes other) {
        return new LlmOptions(
                url,
                key,
                model,
                form,
                other,
                answerBytes,
                answerTokens,
                repairs,
                places,
                perAccount);
    }
}
