package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Arrays;

/// Addresses that share their first bits: `10.0.0.0/8`, or one alone.
final class AddressRange {
    private final byte[] first;
    private final int bits;

    private AddressRange(byte[] first, int bits) {
        this.first = first;
        this.bits = bits;
    }

    /// Null for a text that is no range. A range with bits set past its length is refused, too: its
    /// writer meant something else, and such ranges decide whom the server trusts.
    static @Nullable AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = Addresses.literal(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return null;
        }
        byte[] first = address.getAddress();
        int bits = slash < 0 ? first.length * 8 : length(text.substring(slash + 1));
        boolean whole = bits >= 0 && bits <= first.length * 8;
        return whole && Arrays.equals(first, Addresses.masked(first, bits))
                ? new AddressRange(first, bits)
                : null;
    }

    private static int length(String digits) {
        return digits.matches("0|[1-9][0-9]{0,2}") ? Integer.parseInt(digits) : -1;
    }

    boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == first.length && Arrays.equals(first, Addresses.masked(bytes, bits));
    }
}
