package io.orchestrion.server.http;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Makes request ids: `req_` and 26 characters. Half of each is random for this process, half a
/// counter sent through a one-to-one scramble: unique without asking for random bits on every
/// request, and without telling how many there were.
final class RequestIds {
    private static final char[] ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();

    private final long process;
    private final AtomicLong counter;

    RequestIds(SecureRandom random) {
        this.process = random.nextLong();
        this.counter = new AtomicLong(random.nextLong());
    }

    String next() {
        var id = new char[30];
        "req_".getChars(0, 4, id, 0);
        put(id, 4, process);
        put(id, 17, scrambled(counter.getAndIncrement()));
        return new String(id);
    }

    private static void put(char[] id, int at, long bits) {
        for (int i = 12; i >= 0; i--) {
            id[at + i] = ALPHABET[(int) (bits & 31)];
            bits >>>= 5;
        }
    }

    /// The finalizer of SplitMix64, which maps 64 bits to 64 bits one to one.
    private static long scrambled(long n) {
        n = (n ^ (n >>> 30)) * 0xbf58476d1ce4e5b9L;
        n = (n ^ (n >>> 27)) * 0x94d049bb133111ebL;
        return n ^ (n >>> 31);
    }
}
