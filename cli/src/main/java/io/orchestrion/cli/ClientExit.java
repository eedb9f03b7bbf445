package io.orchestrion.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/// How a client command ends. The numbers are written into scripts and never change meaning.
enum ClientExit {
    OK(0, "The server did what it was asked to."),
    REFUSED(1, "The server refused; its message and what to do next are on standard error."),
    UNREACHABLE(2, "No server answered, or what answered is no Orchestrion."),
    USAGE(64, "The command line is not right, or there is no key.");

    private final int number;
    private final String meaning;

    ClientExit(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    int number() {
        return number;
    }

    /// For the help.
    static Map<String, String> list() {
        var list = new LinkedHashMap<String, String>();
        for (ClientExit exit : values()) {
            list.put(" " + exit.number, exit.meaning);
        }
        return list;
    }
}
