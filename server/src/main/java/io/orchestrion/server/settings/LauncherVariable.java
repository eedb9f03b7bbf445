package io.orchestrion.server.settings;

/// Environment variables that the launcher script reads before there is a program to read settings.
enum LauncherVariable {
    ORCHESTRION_JAVA_HOME("Folder of the JDK to use, ahead of JAVA_HOME and of those found."),
    ORCHESTRION_JVM_ROOTS(
            "Folders to look for JDKs in, with colons between them, in place of the usual ones."),
    ORCHESTRION_HEAP("Largest heap, as for -Xmx. Default 512m."),
    ORCHESTRION_JVM_OPTIONS(
            "Further options for the Java virtual machine, with blanks between them."),
    ORCHESTRION_BUILD("`off`: run what is built, even if the sources are newer."),
    ORCHESTRION_AOT("`off`: neither make nor use the start-up cache."),
    ORCHESTRION_CACHE(
            "Folder of the start-up cache of an installed release. Default"
                    + " $XDG_CACHE_HOME/orchestrion or ~/.cache/orchestrion."),
    ORCHESTRION_URL("Read by the client commands: the server to talk to."),
    ORCHESTRION_KEY("Read by the client commands: the key to talk with.");

    private final String doc;

    LauncherVariable(String doc) {
        this.doc = doc;
    }

    String doc() {
        return doc;
    }
}
