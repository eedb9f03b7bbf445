package io.orchestrion.server.runs;

import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.server.runs.llm.LlmSetting;
import io.orchestrion.server.runs.llm.OnCallSetting;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

    public static final List<Setting> ALL =
            Stream.of(
                            List.of(RUN_CREDITS_INITIAL, RUN_CREDITS_OPERATOR),
                            LlmSetting.ALL,
                            OnCallSetting.ALL)
                    .flatMap(List::stream)
                    .toList();

    /// What is set of the door; with a fault in it when something is invalid.
    public static RunSettings read(Settings settings) {
        var faults = new ArrayList<>(settings.faults(RunsDoor.NAME));
        String model = LlmSetting.fault(settings);
        if (model != null) {
            faults.add(model);
        }
        return faults.isEmpty()
                ? new RunSettings(
                        new InitialGrants(
                                new BigDecimal(settings.whole(RUN_CREDITS_OPERATOR)),
                                new BigDecimal(settings.whole(RUN_CREDITS_INITIAL))),
                        LlmSetting.read(settings),
                        OnCallSetting.read(settings),
                        null)
                : RunSettings.DEFAULT.broken(
                        String.join("; ", faults)
                                + ". The runs door does nothing until this is mended.");
    }
}
