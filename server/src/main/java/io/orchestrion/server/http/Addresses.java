package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/// Reads addresses, and never asks anybody what a name means.
public final class Addresses {
    // The JDK also takes `1.2` and `010.0.0.1`, which others read otherwise.
    private static final Pattern FOUR =
            Pattern.compile("(?:0|[1-9][0-9]{0,2})(?:\\.(?:0|[1-9][0-9]{0,2})){3}");
    private static final Pattern SIX = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final int LONGEST = 45;

    private Addresses() {}

    /// Null for what is no address. An IPv4 address written as IPv6 is the IPv4 address.
    public static @Nullable InetAddress literal(String text) {
        boolean form =
                text.length() <= LONGEST
                        && (FOUR.matcher(text).matches() || SIX.matcher(text).matches());
        if (!form) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static byte[] masked(byte[] address, int bits) {
        byte[] masked = address.clone();
        for (int i = 0; i < masked.length; i++) {
            int kept = Math.clamp(bits - i * 8, 0, 8);
            masked[i] &= (byte) (0xff << (8 - kept));
        }
        return masked;
    }

    /// Without the name of an interface, which is this machine's own business.
    static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    static boolean isSix(InetAddress address) {
        return address instanceof Inet6Address;
    }
}
