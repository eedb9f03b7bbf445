package io.orchestrion.server.door;

import io.orchestrion.kernel.identity.ApiKey;
import io.orchestrion.kernel.identity.WorkerSecret;
import io.orchestrion.server.http.Call;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds keys and worker tokens where none belongs: in addresses, which end up in logs and
/// histories, and in what would be stored and shown to others.
public final class SentKeys {
    private static final Set<String> PARAMETERS =
            Set.of("api_key", "apikey", "key", "token", "access_token", "worker_token");
    private static final List<String> PREFIXES = List.of(ApiKey.PREFIX, WorkerSecret.PREFIX);
    private static final Pattern KEY =
            Pattern.compile("(?:" + String.join("|", PREFIXES) + ")[0-9a-f]{64}");
    private static final Pattern ESCAPED = Pattern.compile("\\\\u00([2-7][0-9a-fA-F])");
    private static final Pattern PERCENT = Pattern.compile("%([2-7][0-9a-fA-F])");

    private SentKeys() {}

    public static boolean inQuery(Call call) {
        for (Map.Entry<String, List<String>> parameter : call.query().entrySet()) {
            String name = parameter.getKey();
            if (PARAMETERS.contains(name.toLowerCase(Locale.ROOT))
                    || suspicious(name)
                    || parameter.getValue().stream().anyMatch(SentKeys::suspicious)) {
                return true;
            }
        }
        return false;
    }

    /// Even a part of a key at the front; one whole wherever it stands.
    private static boolean suspicious(String text) {
        return PREFIXES.stream().anyMatch(text::startsWith) || KEY.matcher(text).find();
    }

    /// In the one header that is stored.
    public static boolean inIdempotencyKey(Call call) {
        return call.header("Idempotency-Key").filter(text -> KEY.matcher(text).find()).isPresent();
    }

    public static boolean inBody(byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        // Nearly every body ends here.
        if (!holdsPrefix(text) && !text.contains("\\u00")) {
            return false;
        }
        return KEY.matcher(unescaped(ESCAPED, text)).find();
    }

    private static boolean holdsPrefix(String text) {
        for (String prefix : PREFIXES) {
            if (text.contains(prefix)) {
                return true;
            }
        }
        return false;
    }

    /// A path as an answer may repeat it: without a segment that holds a key.
    public static String hidden(String path) {
        if (!holdsPrefix(path) && path.indexOf('%') < 0) {
            return path;
        }
        return Arrays.stream(path.split("/", -1))
                .map(
                        segment ->
                                KEY.matcher(unescaped(PERCENT, segment)).find()
                                        ? "(hidden)"
                                        : segment)
                .collect(Collectors.joining("/"));
    }

    /// Every escape, whose first group is the code of a character, as that character.
    private static String unescaped(Pattern escapes, String text) {
        return escapes.matcher(text)
                .replaceAll(
                        escape ->
                                Matcher.quoteReplacement(
                                        Character.toString(Integer.parseInt(escape.group(1), 16))));
    }
}
