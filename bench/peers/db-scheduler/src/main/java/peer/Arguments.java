package peer;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The command line, the same as that of the other drivers. */
record Arguments(
        String jdbcUrl,
        String user,
        String password,
        Mode mode,
        String payload,
        double seconds,
        double warmup) {

    enum Mode {
        SINGLE,
        BATCH;

        String word() {
            return name().toLowerCase(Locale.ROOT);
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
        if (!values.containsKey("--url")) {
            throw new IllegalArgumentException(
                    "--url is missing, e.g. --url postgresql://user:password@host:5432/db");
        }
        URI url = URI.create(values.get("--url"));
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
                mode(values.get("--mode")),
                values.get("--payload"),
                seconds,
                warmup);
    }

    private static Mode mode(String word) {
        for (Mode mode : Mode.values()) {
            if (mode.word().equals(word)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("--mode must be single or batch, not " + word);
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
