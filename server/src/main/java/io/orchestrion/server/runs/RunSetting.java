package io.orchestrion.server.runs;

import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;

import java.util.List;

/// The settings of the runs door, and how they are read. What is invalid shuts the door, and does
/// not keep the server from starting.
public final class RunSetting {
    private RunSetting() {}

    public static final List<Setting> ALL = List.of();

    /// What is set of the door; with a fault in it when something is invalid.
    public static RunSettings read(Settings settings) {
        List<String> faults = settings.faults(RunsDoor.NAME);
        return faults.isEmpty()
                ? RunSettings.DEFAULT
                : RunSettings.DEFAULT.broken(
                        String.join("; ", faults)
                                + ". The runs door does nothing until this is mended.");
    }
}
