package io.orchestrion.tools;

import java.util.LinkedHashMap;
import java.util.Map;

/// How a client command ends. The numbers are written into scripts and never change meaning.
public enum ClientExit {
    OK(0, "The server did what it was asked to."),
    REFUSED(
            1,
            "The server refused the request. Its message and what to do next are on standard"
                    + " error."),
    UNREACHABLE(2, "No server answered, or what answered is not an Orchestrion server."),
    EXECUTION_FAILED(3, "The execution of an orchestration, or the run, that was watched failed."),
    EXECUTION_CANCELED(4, "The execution or the run that was watched was cancelled."),
    STILL_OPEN(5, "What was watched has not ended within the time that was given."),
    RUN_SKIPPED(6, "The run that was watched was skipped: none of its agents did its part."),
    USAGE(64, "The command line is not right, or there is no key."),
    INTERNAL(70, "The command itself failed unexpectedly. Standard error says how.");

    private final int number;
    private final String meaning;

    ClientExit(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }

    /// For the help.
    public static Map<String, String> list() {
        var list = new LinkedHashMap<String, String>();
        for (ClientExit exit : values()) {
            list.put(" " + exit.number, exit.meaning);
        }
        return list;
    }
}
