package io.orchestrion.server.egress;

import io.orchestrion.server.http.AddressRanges;

import org.jspecify.annotations.Nullable;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Keeps calls to addresses that others chose out of networks that are none of their business. A
/// name is resolved once, every address it stands for is looked at, and the connection goes to one
/// of those very addresses: what the name stands for a moment later does not matter.
public final class AddressGuard implements AutoCloseable {
    /// The addresses of IPv4 that are not public: this network, private, shared by carriers,
    /// loopback, link-local (where clouds keep their metadata), protocol assignments, examples,
    /// relays, benchmarks, multicast, reserved; and one cloud's own host agent.
    private static final AddressRanges NOT_PUBLIC =
            AddressRanges.of(
                    "0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16,"
                            + " 172.16.0.0/12, 192.0.0.0/24, 192.0.2.0/24, 192.88.99.0/24,"
                            + " 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24,"
                            + " 224.0.0.0/4, 240.0.0.0/4, 168.63.129.16");

    /// The only addresses of IPv6 that are public...
    private static final AddressRanges GLOBAL = AddressRanges.of("2000::/3");

    /// ...without protocol assignments (Teredo among them), examples, and what carries an IPv4
    /// address in it (6to4).
    private static final AddressRanges NOT_GLOBAL =
            AddressRanges.of("2001::/23, 2001:db8::/32, 2002::/16, 3fff::/20");

    private static final String NOT_PUBLIC_HOST = "the host is at an address that is not public";

    private static final int LOOKUPS_AT_ONCE = 32;
    private static final int LOOKUPS_WAITING = 256;

    /// How many of all look-ups one owner may have under way, so that a dead name server of one
    /// owner does not keep others from theirs.
    private static final int LOOKUPS_OF_AN_OWNER = 8;
    private static final int OWNERS_APART = 1024;
    private static final UUID NOBODY = new UUID(0, 0);

    private final AddressRanges allowed;
    private final Resolver resolver;
    private final Duration patience;

    // The system's resolver blocks its thread, so these are real ones, and few.
    private final ExecutorService lookups;

    // Owners of the same number share; one for each would have to be given up again.
    private final Semaphore[] ofOwners = new Semaphore[OWNERS_APART];

    /// Finds the addresses of a name.
    @FunctionalInterface
    public interface Resolver {
        Resolver SYSTEM = InetAddress::getAllByName;

        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    /// An address that may not be called.
    public static final class Refused extends UnknownHostException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /// @param allowed addresses that may be called beside public ones
    /// @param patience for one name
    public AddressGuard(AddressRanges allowed, Resolver resolver, Duration patience) {
        this.allowed = allowed;
        this.resolver = resolver;
        this.patience = patience;
        var pool =
                new ThreadPoolExecutor(
                        LOOKUPS_AT_ONCE,
                        LOOKUPS_AT_ONCE,
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(LOOKUPS_WAITING),
                        Thread.ofPlatform().daemon().name("name-lookup-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        this.lookups = pool;
        Arrays.setAll(ofOwners, _ -> new Semaphore(LOOKUPS_OF_AN_OWNER));
    }

    public boolean allows(InetAddress address) {
        if (allowed.contain(address)) {
            return true;
        }
        return address instanceof Inet4Address
                ? !NOT_PUBLIC.contain(address)
                : GLOBAL.contain(address) && !NOT_GLOBAL.contain(address);
    }

    /// The addresses that may be called for the host of a URL. One among them that may not be
    /// refuses all: an owner of the name would use it sooner or later.
    public List<InetAddress> vetted(String host) throws UnknownHostException {
        return vetted(NOBODY, host);
    }

    /// @param owner the account that the call is made for
    public List<InetAddress> vetted(UUID owner, String host) throws UnknownHostException {
        InetAddress literal = ReceiverUrl.literal(host);
        List<InetAddress> found =
                literal != null ? List.of(literal) : resolved(owner, ReceiverUrl.bare(host));
        var vetted = new ArrayList<InetAddress>();
        for (InetAddress address : found) {
            if (!allows(address)) {
                throw new Refused(NOT_PUBLIC_HOST);
            }
            vetted.add(address);
        }
        if (vetted.isEmpty()) {
            throw new UnknownHostException("the host has no address");
        }
        return vetted;
    }

    private List<InetAddress> resolved(UUID owner, String name) throws UnknownHostException {
        Semaphore mine = ofOwners[Math.floorMod(owner.hashCode(), OWNERS_APART)];
        try {
            if (!mine.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new UnknownHostException("too many names of this owner are looked up");
            }
            return List.of(lookUp(name, mine).get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw new UnknownHostException("the host has no address");
        } catch (TimeoutException e) {
            throw new UnknownHostException("the host's name was not resolved in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException("the host's name was not waited for");
        }
    }

    /// The system's resolver cannot be interrupted: the place is free when it has really ended.
    private Future<InetAddress[]> lookUp(String name, Semaphore place) throws UnknownHostException {
        try {
            return lookups.submit(
                    () -> {
                        try {
                            return resolver.resolve(name);
                        } finally {
                            place.release();
                        }
                    });
        } catch (RejectedExecutionException e) {
            place.release();
            throw new UnknownHostException("too many names are being looked up");
        }
    }

    /// Why a URL that somebody gives us may not be called, as the end of a sentence that begins
    /// with its field; null when nothing is known against it. It asks no name server. It checks the
    /// form, and the address if the URL has one or names `localhost`.
    public @Nullable String knownFault(String url) {
        ReceiverUrl.Read read = ReceiverUrl.read(url);
        if (read.url() == null) {
            return read.fault();
        }
        List<InetAddress> known = read.url().knownAddresses();
        return known.isEmpty() || known.stream().anyMatch(this::allows)
                ? null
                : notPublic(NOT_PUBLIC_HOST);
    }

    /// The same, and also looks up the address of the name. A name without an address passes,
    /// because it may get one: it is looked up again before each call.
    ///
    /// @param owner the account that the call is made for
    public @Nullable String fault(UUID owner, String url) {
        String known = knownFault(url);
        ReceiverUrl read = ReceiverUrl.read(url).url();
        if (known != null || read == null) {
            return known;
        }
        try {
            vetted(owner, read.host());
            return null;
        } catch (Refused e) {
            return notPublic(String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static String notPublic(String why) {
        return "must be public: " + why;
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }
}
