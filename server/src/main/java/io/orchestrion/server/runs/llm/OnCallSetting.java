package io.orchestrion.server.runs.llm;

import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The settings of the webhook of whoever is on call for runs.
public final class OnCallSetting {
    private OnCallSetting() {}

    public static final Setting RUN_ON_CALL_URL =
            Setting.of(
                    "RUN_ON_CALL_URL",
                    new WebAddress(false),
                    null,
                    "Address that is called once for each escalation ticket of a run, with severity"
                            + " high. A call may be repeated until it is accepted, with the id of"
                            + " the ticket as Idempotency-Key.");

    public static final Setting RUN_ON_CALL_TOKEN =
            Setting.of(
                            "RUN_ON_CALL_TOKEN",
                            new Text("TEXT", "any text"),
                            null,
                            "Token that is sent there as Authorization: Bearer. It has no option,"
                                    + " because every user of a machine can read command lines.")
                    .asSecret();

    public static final Setting RUN_ON_CALL_TOKEN_FILE =
            Setting.of(
                            "RUN_ON_CALL_TOKEN_FILE",
                            new Text("FILE", "a file"),
                            null,
                            "File whose first line is the token of run-on-call-token.")
                    .asPath()
                    .holding(RUN_ON_CALL_TOKEN);

    public static final List<Setting> ALL =
            List.of(RUN_ON_CALL_URL, RUN_ON_CALL_TOKEN, RUN_ON_CALL_TOKEN_FILE);

    /// Null where nobody is to be told.
    public static @Nullable OnCallOptions read(Settings settings) {
        String url = settings.find(RUN_ON_CALL_URL);
        return url == null ? null : OnCallOptions.of(url, settings.secret(RUN_ON_CALL_TOKEN));
    }
}
