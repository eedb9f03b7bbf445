package io.orchestrion.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Counts what calls hold of the process's memory: bodies as they are read and all that is made of
/// them, and answers until they are sent. There is a bound for all, of which a part is kept for
/// holders, and one for each account; a caller that is not known yet counts by its address. What is
/// refused is refused before the memory is taken.
final class BytesInFlight {
    /// How many bytes the server holds at its peak for each byte of a body: the body itself, its
    /// parts as they are read, the task that is made of each, the statement that stores them, and
    /// the answer that shows them (decision 140).
    static final int COPIES = 6;

    private static final int SMALL_CHUNK = 64 * 1024;

    private final AtomicLong all = new AtomicLong();
    private final Map<Object, Long> byOwner = new ConcurrentHashMap<>();
    private final HttpOptions.Memory memory;

    BytesInFlight(HttpOptions.Memory memory) {
        this.memory = memory;
    }

    Hold hold() {
        return new Hold();
    }

    long held() {
        return all.get();
    }

    int owners() {
        return byOwner.size();
    }

    /// What one call holds. It belongs to the call's thread.
    final class Hold implements AutoCloseable {
        private Urgency urgency = Urgency.ORDINARY;
        private Supplier<Object> owner = () -> "";
        private Object counted = "";
        private long bytes;
        private int chunk;

        void of(Urgency urgency, Supplier<Object> owner) {
            this.urgency = urgency;
            this.owner = owner;
        }

        /// To be called before so many bytes of a body are read.
        ///
        /// @throws Refusal when there is no room for them and for the objects made of them
        void takeBody(long length) {
            take(length * COPIES);
        }

        /// To be called before a chunk is read, which is held as a whole until the next. A small
        /// chunk is never refused: after a refusal the connection is still read from for a moment,
        /// because closing it at once could lose the answer.
        ///
        /// @throws Refusal when there is no room for it
        void chunk(int length) {
            give(chunk);
            chunk = 0;
            if (length <= SMALL_CHUNK) {
                add(length);
            } else {
                take(length);
            }
            chunk = length;
        }

        /// @throws Refusal when there is no room for them
        void take(long more) {
            settleOwner();
            if (!fitsOwner(more)) {
                throw new Refusal(Pipeline::tooMuchOfOne);
            }
            bytes += more;
            long bound = memory.boundOf(urgency);
            long before = all.getAndUpdate(held -> held + more > bound ? held : held + more);
            if (before + more > bound) {
                giveOwner(more);
                throw new Refusal(Pipeline::overloaded);
            }
        }

        /// A single call of an account always fits; otherwise a large call could never be made
        /// where memory is small.
        private boolean fitsOwner(long more) {
            var fits = new boolean[1];
            byOwner.compute(
                    counted,
                    (_, held) -> {
                        long others = held == null ? 0 : held - bytes;
                        fits[0] = others == 0 || others + bytes + more <= memory.each();
                        return fits[0] ? Long.valueOf(others + bytes + more) : held;
                    });
            return fits[0];
        }

        private void giveOwner(long less) {
            byOwner.computeIfPresent(counted, (_, held) -> held == less ? null : held - less);
            bytes -= less;
        }

        /// Counts what is in memory already.
        void add(long more) {
            settleOwner();
            all.addAndGet(more);
            byOwner.merge(counted, more, Long::sum);
            bytes += more;
        }

        /// Once the owner is known, all of it is counted to the owner.
        private void settleOwner() {
            Object now = owner.get();
            if (!now.equals(counted)) {
                long moved = bytes;
                give(moved);
                counted = now;
                if (moved > 0) {
                    add(moved);
                }
            }
        }

        void give(long less) {
            if (less == 0) {
                return;
            }
            all.addAndGet(-less);
            giveOwner(less);
        }

        /// The request is done with, and what is left of it is its answer.
        void answers(long length) {
            give(bytes);
            chunk = 0;
            if (length > 0) {
                add(length);
            }
        }

        @Override
        public void close() {
            give(bytes);
        }
    }
}
