package peer;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The command line, the same as that of the other drivers, with modes of its own. */
record Arguments(
        String jdbcUrl,
        String user,
        String password,
        Mode mode,
        String payload,
        double seconds,
        double warmup) {

    /** How many steps a workflow has. */
    enum Mode {
        ONE_STEP("one-step", 1),
        TEN_STEPS("ten-steps", 10);

        final String word;
        final int steps;

        Mode(String word, int steps) {
            this.word = word;
            this.steps = steps;
        }

        static Mode of(String word) {
            for (Mode mode : values()) {
                if (mode.word.equals(word)) {
                    return mode;
                }
            }
            throw new IllegalArgumentException("--mode must be one-step or ten-steps, not " + word);
        }
    }

    private static final int DEFAULT_PORT = 5432;

    static Arguments parse(String[] args) {
        Map<String, String> values =
                new TreeMap<>(Map.of("--seconds", "10", "--warmup", "3", "--payload", "{\"n\":1}"));
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].matches("--(url|mode|payload|seconds|warmup)")) {
                throw new IllegalArgumentException("unknown argument " + args[i]);
            }
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value");
            }
            values.put(args[i], args[i + 1]);
        }
        double seconds = number(values, "--seconds");
        double warmup = number(values, "--warmup");
        if (!(seconds > 0) || !(warmup >= 0)) {
            throw new IllegalArgumentException("--seconds must be above 0 and --warmup 0 or more");
        }
        URI url = URI.create(values.getOrDefault("--url", ""));
        if (!"postgresql".equals(url.getScheme())
                || url.getHost() == null
                || url.getRawUserInfo() == null) {
            throw new IllegalArgumentException(
                    "--url must look like postgresql://user:password@host:5432/db");
        }
        String[] userAndPassword = url.getRawUserInfo().split(":", 2);
        int port = url.getPort() == -1 ? DEFAULT_PORT : url.getPort();
        return new Arguments(
                "jdbc:postgresql://" + url.getHost() + ":" + port + url.getRawPath(),
                decoded(userAndPassword[0]),
                userAndPassword.length == 2 ? decoded(userAndPassword[1]) : "",
                Mode.of(values.getOrDefault("--mode", "")),
                values.get("--payload"),
                seconds,
                warmup);
    }

    private static double number(Map<String, String> values, String name) {
        try {
            return Double.parseDouble(values.get(name));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number, not " + values.get(name));
        }
    }

    /** Percent signs only: a plus in a password is a plus. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
