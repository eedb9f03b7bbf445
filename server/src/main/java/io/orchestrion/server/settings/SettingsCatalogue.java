package io.orchestrion.server.settings;

import io.orchestrion.server.exit.StartFailure;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every setting that there is: the server's own, and those that its doors declare.
public final class SettingsCatalogue {
    private final List<Setting> all;
    private final Map<String, Setting> byKey = new LinkedHashMap<>();

    /// @param ofDoors the settings of each door, by its name and in the order of the doors
    public SettingsCatalogue(Map<String, List<Setting>> ofDoors) {
        var listed = new ArrayList<>(Setting.OWN);
        listed.addAll(OidcSetting.ALL);
        ofDoors.forEach(
                (door, settings) -> settings.forEach(each -> listed.add(each.ofDoor(door))));
        listed.addAll(ObserveSetting.ALL);
        all = List.copyOf(listed);
        for (Setting setting : all) {
            if (byKey.put(setting.key(), setting) != null) {
                throw new IllegalArgumentException("two settings are called " + setting.key());
            }
        }
    }

    /// In the order of the reference.
    public List<Setting> all() {
        return all;
    }

    /// Null when no setting has the key.
    public @Nullable Setting ofKey(String key) {
        return byKey.get(key);
    }

    List<String> keys() {
        return List.copyOf(byKey.keySet());
    }

    /// The defaults with some values in their place, as if given as options.
    public Settings of(Map<Setting, String> values) throws StartFailure {
        return new SettingsReader(this, Map.of(), Path.of(System.getProperty("user.home")))
                .read(values);
    }
}
