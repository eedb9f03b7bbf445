package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// A list of addresses and ranges of them, such as the proxies that are believed.
public final class AddressRanges {
    public static final AddressRanges NONE = new AddressRanges(List.of());

    /// This machine.
    public static final AddressRanges LOOPBACK = of("127.0.0.0/8, ::1");

    public static final AddressRanges ALL = of("0.0.0.0/0, ::/0");

    private final List<AddressRange> ranges;

    private AddressRanges(List<AddressRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /// From text with commas between them.
    ///
    /// @throws IllegalArgumentException for a text with a [#fault]
    public static AddressRanges of(String text) {
        var ranges = new ArrayList<AddressRange>();
        for (String entry : text.split(",", -1)) {
            AddressRange range = AddressRange.parse(entry.strip());
            if (range == null) {
                throw new IllegalArgumentException("no address or range: " + entry.strip());
            }
            ranges.add(range);
        }
        return new AddressRanges(ranges);
    }

    /// The first entry that is neither an address nor a range, or null when all are.
    public static @Nullable String fault(String text) {
        for (String entry : text.split(",", -1)) {
            if (AddressRange.parse(entry.strip()) == null) {
                return entry.strip();
            }
        }
        return null;
    }

    public boolean contain(InetAddress address) {
        for (AddressRange range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
