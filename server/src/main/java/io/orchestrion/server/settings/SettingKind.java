package io.orchestrion.server.settings;

import io.orchestrion.server.http.AddressRanges;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/// What values a setting takes, and how that is said to people.
public sealed interface SettingKind {
    /// Why the value is not allowed, as the end of a sentence that starts with the setting; null
    /// when it is.
    @Nullable String problem(String value);

    /// For the reference: `0 to 65535`, `text or json`.
    String allowed();

    /// For the help of an option: `N`, `FOLDER`.
    String label();

    record Text(String label, String allowed) implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            return value.isBlank() ? "must not be empty" : null;
        }
    }

    record Whole(long min, long max) implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            try {
                long number = Long.parseLong(value);
                if (number >= min && number <= max) {
                    return null;
                }
            } catch (NumberFormatException e) {
                // Said below, in the same words as for a number out of bounds.
            }
            return "must be a whole number from " + min + " to " + max;
        }

        @Override
        public String allowed() {
            return min + " to " + max;
        }

        @Override
        public String label() {
            return "N";
        }
    }

    record Decimal(double min, double max) implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            try {
                double number = Double.parseDouble(value);
                if (number >= min && number <= max) {
                    return null;
                }
            } catch (NumberFormatException e) {
                // Said below, in the same words as for a number out of bounds.
            }
            return "must be a number from " + allowed();
        }

        @Override
        public String allowed() {
            return plain(min) + " to " + plain(max);
        }

        private static String plain(double number) {
            return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
        }

        @Override
        public String label() {
            return "NUMBER";
        }
    }

    /// Some of a few words, with commas between them.
    record Some(List<String> names) implements SettingKind {
        public static List<String> read(String value) {
            return Arrays.stream(value.split(",", -1)).map(String::strip).distinct().toList();
        }

        @Override
        public @Nullable String problem(String value) {
            return names.containsAll(read(value)) ? null : "must be " + allowed();
        }

        @Override
        public String allowed() {
            return "any of " + String.join(", ", names) + ", with commas between them";
        }

        @Override
        public String label() {
            return "NAMES";
        }
    }

    /// A number for some accounts.
    record Numbers(long min, long max) implements SettingKind {
        /// Null for what cannot be read.
        public static @Nullable Map<UUID, Integer> read(String value) {
            Map<String, String> pairs = Pairs.read(value);
            if (pairs == null) {
                return null;
            }
            var numbers = new LinkedHashMap<UUID, Integer>();
            try {
                pairs.forEach(
                        (id, number) -> numbers.put(UUID.fromString(id), Integer.valueOf(number)));
            } catch (IllegalArgumentException e) {
                return null;
            }
            return numbers;
        }

        @Override
        public @Nullable String problem(String value) {
            Map<UUID, Integer> numbers = read(value);
            return numbers != null
                            && numbers.values().stream()
                                    .allMatch(each -> each >= min && each <= max)
                    ? null
                    : "must be " + allowed();
        }

        @Override
        public String allowed() {
            return "client=number from "
                    + min
                    + " to "
                    + max
                    + ", several with commas between them";
        }

        @Override
        public String label() {
            return "ID=N";
        }
    }

    /// Seconds, one after the other, or none at all.
    record Waits() implements SettingKind {
        private static final int MOST = 30;
        private static final String NONE = "none";

        /// Null for what is no such list.
        public static @Nullable List<Duration> read(String value) {
            if (value.strip().equals(NONE)) {
                return List.of();
            }
            var waits = new ArrayList<Duration>();
            for (String each : value.split(",", -1)) {
                if (!each.strip().matches("[1-9][0-9]{0,5}")) {
                    return null;
                }
                waits.add(Duration.ofSeconds(Long.parseLong(each.strip())));
            }
            return waits.size() > MOST ? null : waits;
        }

        @Override
        public @Nullable String problem(String value) {
            return read(value) == null ? "must be " + allowed() : null;
        }

        @Override
        public String allowed() {
            return "up to " + MOST + " numbers of seconds with commas between them, or none";
        }

        @Override
        public String label() {
            return "N,N";
        }
    }

    record Choice(List<String> names) implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            return names.contains(value.toLowerCase(Locale.ROOT)) ? null : "must be " + allowed();
        }

        @Override
        public String allowed() {
            return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
        }

        @Override
        public String label() {
            return String.join("|", names);
        }
    }

    /// @param secrets whether secrets are sent there, and so not in the open to another machine
    record WebAddress(boolean secrets) implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            try {
                var url = new URI(value);
                boolean plain = "http".equals(url.getScheme());
                boolean usable =
                        (plain || "https".equals(url.getScheme()))
                                && url.getHost() != null
                                && url.getRawUserInfo() == null
                                && url.getRawQuery() == null
                                && url.getRawFragment() == null;
                if (usable && !(secrets && plain && !onThisMachine(url.getHost()))) {
                    return null;
                }
            } catch (URISyntaxException e) {
                // Said below, in the same words as for one that is no web address.
            }
            return "must be " + allowed();
        }

        private static boolean onThisMachine(String host) {
            return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
        }

        @Override
        public String allowed() {
            return secrets
                    ? "https://host, or http:// for this machine"
                    : "http://host:port or https://host";
        }

        @Override
        public String label() {
            return "URL";
        }
    }

    record DatabaseAddress() implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            return DatabaseUrl.problem(value);
        }

        @Override
        public String allowed() {
            return "postgresql://user@host:5432/name or jdbc:postgresql://…";
        }

        @Override
        public String label() {
            return "URL";
        }
    }

    record Id() implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            try {
                if (UUID.fromString(value).toString().equalsIgnoreCase(value)) {
                    return null;
                }
            } catch (IllegalArgumentException e) {
                // Said below, in the same words as for one that is too short.
            }
            return "must be " + allowed();
        }

        @Override
        public String allowed() {
            return "an id such as 00000000-0000-7000-8000-000000000001";
        }

        @Override
        public String label() {
            return "ID";
        }
    }

    record Pairs() implements SettingKind {
        /// In the order in which they were given; null for what are no pairs.
        static @Nullable Map<String, String> read(String value) {
            var pairs = new LinkedHashMap<String, String>();
            for (String each : value.split(",", -1)) {
                String[] parts = each.strip().split("=", 2);
                if (parts.length != 2
                        || parts[0].isBlank()
                        || parts[1].isBlank()
                        || pairs.put(parts[0].strip(), parts[1].strip()) != null) {
                    return null;
                }
            }
            return pairs;
        }

        @Override
        public @Nullable String problem(String value) {
            return read(value) == null ? "must be " + allowed() : null;
        }

        @Override
        public String allowed() {
            return "name=value, several with commas between them";
        }

        @Override
        public String label() {
            return "NAME=VALUE";
        }
    }

    record Ranges() implements SettingKind {
        @Override
        public @Nullable String problem(String value) {
            String fault = AddressRanges.fault(value);
            if (fault == null) {
                return null;
            }
            String why = fault.contains("/") ? ": a range has no bits set past its length" : "";
            return "must be " + allowed() + " (\"" + fault + "\" is neither" + why + ")";
        }

        @Override
        public String allowed() {
            return "addresses or ranges such as 10.0.0.0/8 and fd00::/8, with commas between them";
        }

        @Override
        public String label() {
            return "RANGES";
        }
    }
}
