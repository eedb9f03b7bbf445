package io.orchestrion.cli;

import io.orchestrion.sdk.OrchestrionClient;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// One run of a command: what was given on the line, and the client to send requests with.
///
/// @param json print answers as they came
/// @param lastAnswer the body of the last answer
record Invocation(
        OrchestrionClient client,
        ParseResult parsed,
        CommandSpec spec,
        Surroundings surroundings,
        boolean json,
        Supplier<@Nullable String> lastAnswer) {

    PrintStream out() {
        return surroundings.out();
    }

    PrintStream err() {
        return surroundings.err();
    }

    Screen screen() {
        return new Screen(surroundings.colour());
    }

    Times times() {
        return new Times(surroundings.zone(), surroundings.clock().instant());
    }

    /// The answer as it came if that is wanted, else in the given words.
    void show(Supplier<String> words) {
        out().println(json ? lastAnswer.get() : words.get());
    }

    boolean has(String option) {
        return parsed.hasMatchedOption(option);
    }

    /// Null where it was not written.
    <T> @Nullable T value(String option) {
        return parsed.matchedOptionValue(option, null);
    }

    /// The value of an option that must be given.
    String text(String option) {
        String text = value(option);
        if (text == null) {
            throw misused(option + " is missing");
        }
        return text;
    }

    @Nullable UUID idOrNull() {
        return parsed.matchedPositionalValue(0, null);
    }

    UUID id() {
        UUID id = idOrNull();
        if (id == null) {
            throw misused("ID is missing");
        }
        return id;
    }

    /// The one word that the command takes.
    String word() {
        String word = parsed.matchedPositionalValue(0, null);
        if (word == null) {
            throw misused("a word is missing");
        }
        return word;
    }

    /// The program to run and its arguments.
    List<String> program() {
        return parsed.matchedPositionalValue(0, List.of());
    }

    int number(String option, int otherwise) {
        Integer number = value(option);
        return number == null ? otherwise : number;
    }

    /// The words of an option with commas between them; null where it was not given.
    @Nullable List<String> words(String option) {
        String written = value(option);
        if (written == null) {
            return null;
        }
        List<String> words =
                Stream.of(written.split(",", -1)).map(String::strip).distinct().toList();
        if (!written.isBlank() && words.contains("")) {
            throw misused(option + " has words with commas between them, not " + written);
        }
        return written.isBlank() ? List.of() : words;
    }

    ParameterException misused(String message) {
        CommandLine line = spec.commandLine();
        return new ParameterException(line, message);
    }

    /// A time that was written for an option.
    Instant time(String option, String written) {
        try {
            return times().parsed(written);
        } catch (DateTimeParseException e) {
            throw misused(option + " must be a time such as 2030-01-31T08:30:00Z, not " + written);
        }
    }

    /// JSON as it stands on the line, from `@file`, or with `-` from standard input.
    @Nullable String document(String option) {
        String written = value(option);
        if (written == null) {
            return null;
        }
        try {
            if (written.equals("-")) {
                return new String(surroundings.in().readAllBytes(), StandardCharsets.UTF_8);
            }
            return written.startsWith("@")
                    ? Files.readString(Path.of(written.substring(1)), StandardCharsets.UTF_8)
                    : written;
        } catch (IOException e) {
            throw misused(option + ": cannot read " + written.replaceFirst("^@", ""));
        }
    }
}
