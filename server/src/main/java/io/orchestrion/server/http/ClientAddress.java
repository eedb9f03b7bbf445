package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/// Where a request comes from. That is the peer of the connection, unless the peer is a proxy that
/// we trust: then it is the nearest address behind it that is none of ours, by what the proxies
/// wrote down. Whatever stands further away was written by strangers and is not looked at.
public final class ClientAddress {
    private static final ClientAddress UNKNOWN = new ClientAddress(null);

    private final @Nullable InetAddress address;

    private ClientAddress(@Nullable InetAddress address) {
        this.address = address;
    }

    /// @param peer null when there is none to know
    /// @param headers all lines of the header of a name
    static ClientAddress of(
            @Nullable InetAddress peer,
            AddressRanges trusted,
            Function<String, List<String>> headers) {
        if (peer == null) {
            return UNKNOWN;
        }
        InetAddress nearest = peer;
        if (trusted.contain(nearest)) {
            List<String> hops = ForwardedFor.hops(headers);
            for (String hop : hops.reversed()) {
                InetAddress before = ForwardedFor.address(hop);
                if (before == null) {
                    break;
                }
                nearest = before;
                if (!trusted.contain(nearest)) {
                    break;
                }
            }
        }
        return new ClientAddress(nearest);
    }

    /// The address itself; empty when it is not known.
    public String text() {
        return address == null ? "" : Addresses.text(address);
    }

    /// The address under which requests are counted: a whole IPv4 address, and for IPv6 the /64 of
    /// a subscriber, who has more addresses than can be counted.
    public String limitSubject() {
        if (address == null) {
            return "unknown";
        }
        if (!Addresses.isSix(address)) {
            return text();
        }
        var subject = new StringBuilder();
        byte[] bytes = address.getAddress();
        for (int i = 0; i < 8; i += 2) {
            subject.append(HexFormat.of().formatHex(bytes, i, i + 2)).append(':');
        }
        return subject.append(":/64").toString();
    }

    @Override
    public String toString() {
        return text();
    }
}
