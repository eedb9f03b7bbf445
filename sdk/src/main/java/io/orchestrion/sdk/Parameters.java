package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The query part of an address. As text it begins with `?`, or is empty.
final class Parameters {
    private final List<String> parameters = new ArrayList<>();

    Parameters with(String name, @Nullable Object value) {
        if (value != null) {
            parameters.add(name + "=" + encoded(value.toString()));
        }
        return this;
    }

    /// The parameters of a page of a list.
    static Parameters page(@Nullable Integer limit, @Nullable String cursor) {
        return new Parameters().with("limit", limit).with("cursor", cursor);
    }

    /// Encodes text as a part of an address.
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    }
}
