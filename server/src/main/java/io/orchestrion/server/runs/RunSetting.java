package io.orchestrion.server.runs;

import io.orchestrion.server.runs.llm.LlmSetting;
import io.orchestrion.server.runs.llm.OnCallSetting;
import io.orchestrion.server.runs.tuning.BoundSetting;
import io.orchestrion.server.runs.tuning.PolicySetting;
import io.orchestrion.server.runs.tuning.TimeSetting;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The settings of the runs door, and how they are read. What is invalid shuts the door, and does
/// not keep the server from starting.
public final class RunSetting {
    private RunSetting() {}

    public static final List<Setting> ALL =
            Stream.of(
                            TimeSetting.ALL,
                            BoundSetting.ALL,
                            PolicySetting.ALL,
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
        if (faults.isEmpty()) {
            faults.addAll(PolicySetting.faults(settings));
        }
        return faults.isEmpty()
                ? new RunSettings(
                        PolicySetting.tuning(settings),
                        LlmSetting.read(settings),
                        OnCallSetting.read(settings),
                        null)
                : RunSettings.DEFAULT.broken(
                        String.join("; ", faults)
                                + ". The runs door does nothing until this is mended.");
    }
}
