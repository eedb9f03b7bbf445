package io.orchestrion.server.jobs;

import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What an `Accept` header says of a media type (RFC 9110, 12.5.1): the most specific range that
/// fits counts, and a weight of zero is a refusal.
final class Accepts {
    private Accepts() {}

    /// Whether one of the two forms that the door answers in is taken.
    static boolean json(Call call) {
        return takes(call, Answer.JSON) || takes(call, Problem.MEDIA_TYPE);
    }

    static boolean takes(Call call, String mediaType) {
        return weight(call, mediaType) > 0;
    }

    /// From 0 to 1. A request without the header takes everything, equally.
    static double weight(Call call, String mediaType) {
        List<String> ranges =
                call.headers("Accept").stream()
                        .flatMap(line -> Arrays.stream(line.split(",")))
                        .map(range -> range.strip().toLowerCase(Locale.ROOT))
                        .filter(range -> !range.isEmpty())
                        .toList();
        if (ranges.isEmpty()) {
            return 1;
        }
        String family = mediaType.substring(0, mediaType.indexOf('/')) + "/*";
        int best = -1;
        double weight = 0;
        for (String range : ranges) {
            String[] parts = range.split(";");
            String name = parts[0].strip();
            int specific =
                    name.equals(mediaType)
                            ? 2
                            : name.equals(family) ? 1 : name.equals("*/*") ? 0 : -1;
            if (specific > best) {
                best = specific;
                weight = quality(parts);
            }
        }
        return weight;
    }

    /// What cannot be read as a weight counts as none given: 1.
    private static double quality(String[] parts) {
        for (String part : parts) {
            String plain = part.replace(" ", "");
            if (plain.startsWith("q=")) {
                try {
                    return Double.parseDouble(plain.substring(2));
                } catch (NumberFormatException e) {
                    return 1;
                }
            }
        }
        return 1;
    }
}
