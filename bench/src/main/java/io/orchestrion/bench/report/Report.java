package io.orchestrion.bench.report;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// All that was measured in one run.
public record Report(Surroundings surroundings, List<Result> results) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /// Writes `bench.json` and `bench.html`.
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("bench.json"), JSON.writeValueAsString(this) + "\n");
        Files.writeString(folder.resolve("bench.html"), new Page(this).html());
    }

    /// The pace of that line of that scenario, null when it was not measured.
    public @Nullable Double pace(String scenario, String row) {
        return results.stream()
                .filter(each -> each.scenario().equals(scenario) && each.row().equals(row))
                .map(Result::perSecond)
                .findFirst()
                .orElse(null);
    }
}
