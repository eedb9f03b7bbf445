package io.orchestrion.server.exit;

/// Every way the program ends. Below 80 the numbers are those of sysexits.h, from 80 on they are
/// ours. A number is never given to another meaning, because supervisors and scripts are written
/// against it.
public enum ExitCode {
    OK(0, false, "The command did what it was asked to.", "Nothing to do."),
    USAGE(
            64,
            false,
            "The command line has an unknown command or option.",
            "`orchestrion --help` lists the commands, `orchestrion serve --help` the options of"
                    + " one."),
    NO_JAVA(
            69,
            false,
            "No Java 25 or newer was found.",
            "Install one as the message says for your system, or point ORCHESTRION_JAVA_HOME at"
                    + " it."),
    INTERNAL(
            70,
            true,
            "The program failed unexpectedly.",
            "Start again. If the failure comes back, report it with the lines above (`--log-level"
                    + " debug` shows more)."),
    BAD_SETTINGS(
            78,
            false,
            "A setting has a value that is not allowed, or the settings file cannot be read.",
            "Correct what the message names; `orchestrion config` shows every setting and where it"
                    + " came from."),
    BUILD_FAILED(
            80,
            false,
            "The first build, or a rebuild after a change of the sources, failed.",
            "Read the end of the log that the message names."),
    PORT_TAKEN(
            81,
            true,
            "Another program listens on the port, or this user may not.",
            "Stop the other program, or choose another port with `--port N` (0 takes a free one)."),
    DATA_LOCKED(
            82,
            true,
            "Another server runs on the same data folder.",
            "Use the running server, stop it, or give this one its own folder with `--data`."
                    + " Several servers share work through `--database-url`."),
    NO_DISK(
            83,
            true,
            "The disk that holds the data folder is full, or nearly so.",
            "Free some space, or move the folder to a larger disk and name it with `--data`."),
    DATA_NOT_WRITABLE(
            84,
            false,
            "The data folder cannot be created or written.",
            "Give the user who runs the server the folder (`chown`), or name another with"
                    + " `--data`."),
    UNSUPPORTED_PLATFORM(
            85,
            false,
            "There is no embedded PostgreSQL for this system.",
            "Run a PostgreSQL 15 or newer and name it with `--database-url`."),
    DATABASE_UNREACHABLE(
            86,
            true,
            "No connection to the database of `--database-url`.",
            "Check that the server runs and that the address and firewall let this machine in."),
    DATABASE_REFUSED(
            87,
            false,
            "The database answers, but refuses the user, the password or the database name.",
            "Check `--database-user`, ORCHESTRION_DATABASE_PASSWORD and the name at the end of the"
                    + " address."),
    DATABASE_VERSION(
            88,
            false,
            "The database has a version that Orchestrion does not run on.",
            "Use PostgreSQL 15 or newer. For a data folder of another version, start the release"
                    + " that made it."),
    DATABASE_FAILED(
            89,
            true,
            "The embedded database did not start, or its contents could not be brought up to date.",
            "Read the lines above and the database's log in the data folder."),
    DATABASE_NOT_SPREAD(
            90,
            false,
            "The database cannot be spread over several machines as it is.",
            "Do what the message says; docs/guides/distributed.md tells what is needed."),
    INTERRUPTED(
            130,
            false,
            "A signal came before the server was ready.",
            "Nothing to do; start it again.");

    private final int number;
    private final boolean restartHelps;
    private final String meaning;
    private final String advice;

    ExitCode(int number, boolean restartHelps, String meaning, String advice) {
        this.number = number;
        this.restartHelps = restartHelps;
        this.meaning = meaning;
        this.advice = advice;
    }

    public int number() {
        return number;
    }

    /// Whether a supervisor may cure it by starting the server again later.
    public boolean restartHelps() {
        return restartHelps;
    }

    public String meaning() {
        return meaning;
    }

    /// What to do next, in words that need no further arguments.
    public String advice() {
        return advice;
    }
}
