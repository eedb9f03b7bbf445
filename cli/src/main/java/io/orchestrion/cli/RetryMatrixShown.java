package io.orchestrion.cli;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/// The retry matrix as tables: what each class leads to, and which errors are of it.
final class RetryMatrixShown {
    private RetryMatrixShown() {}

    /// Each list of the answer is a table, whose columns are the fields of its elements.
    static String text(JsonNode matrix, Screen screen) {
        var tables = new ArrayList<String>();
        for (var field : matrix.properties()) {
            if (field.getValue().isArray() && !field.getValue().isEmpty()) {
                tables.add(table(field.getValue(), screen));
            }
        }
        return String.join("\n\n", tables);
    }

    private static String table(JsonNode list, Screen screen) {
        List<String> names = List.copyOf(list.get(0).propertyNames());
        var rows = new ArrayList<List<String>>();
        rows.add(
                names.stream()
                        .map(
                                name ->
                                        Screen.clean(name.replace('_', ' '))
                                                .toUpperCase(java.util.Locale.ROOT))
                        .toList());
        for (JsonNode each : list.values()) {
            rows.add(
                    names.stream()
                            .map(
                                    name -> {
                                        JsonNode value = each.path(name);
                                        return value.isNull() || value.isMissingNode()
                                                ? ""
                                                : Screen.clean(
                                                        value.isString()
                                                                ? value.asString()
                                                                : value.toString());
                                    })
                            .toList());
        }
        return screen.table(rows);
    }
}
