package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The part of an address after the question mark; as text it begins with it, or is empty.
final class Parameters {
    private final List<String> parameters = new ArrayList<>();

    Parameters with(String name, @Nullable Object value) {
        if (value != null) {
            String text = URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
            parameters.add(name + "=" + text.replace("+", "%20"));
        }
        return this;
    }

    @Override
    public String toString() {
        return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    }
}
