package io.orchestrion.server.runs;

import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import java.math.BigDecimal;
import java.util.List;

/// The settings of the runs door, and how they are read. What is invalid shuts the door, and does
/// not keep the server from starting.
public final class RunSetting {
    private RunSetting() {}

    private static final long CREDITS_MAX = 1_000_000_000;

    public static final Setting RUN_CREDITS_INITIAL =
            Setting.of(
                    "RUN_CREDITS_INITIAL",
                    new Whole(0, CREDITS_MAX),
                    InitialGrants.DEFAULT.others().toBigInteger().toString(),
                    "Credits that an account gets once, when they are first looked at.");

    public static final Setting RUN_CREDITS_OPERATOR =
            Setting.of(
                    "RUN_CREDITS_OPERATOR",
                    new Whole(0, CREDITS_MAX),
                    InitialGrants.DEFAULT.operator().toBigInteger().toString(),
                    "The same for the account local, which belongs to whoever runs the server.");

    public static final List<Setting> ALL = List.of(RUN_CREDITS_INITIAL, RUN_CREDITS_OPERATOR);

    /// What is set of the door; with a fault in it when something is invalid.
    public static RunSettings read(Settings settings) {
        List<String> faults = settings.faults(RunsDoor.NAME);
        return faults.isEmpty()
                ? new RunSettings(
                        new InitialGrants(
                                new BigDecimal(settings.whole(RUN_CREDITS_OPERATOR)),
                                new BigDecimal(settings.whole(RUN_CREDITS_INITIAL))),
                        null)
                : RunSettings.DEFAULT.broken(
                        String.join("; ", faults)
                                + ". The runs door does nothing until this is mended.");
    }
}
