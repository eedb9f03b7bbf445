package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Objects;

/// The log of a job that a worker executes; from [JobRun#log].
///
/// ```java
/// JobHandler build = run -> {
///     run.log().event(JobEventLevel.INFO, "started", "{\"step\":1}");
///     run.log().line(JobEventLevel.INFO, "stdout", "compiling");
///     return null;
/// };
/// ```
///
/// Writing never waits for the server. Events are sent in the background, one after the other, in
/// the order in which they were written. While one event is being sent, the lines that follow are
/// joined, so that much output makes few events.
///
/// While the server is away, an event is sent again until it is stored. Up to 1000 events wait;
/// lines beyond that are left out and counted. If an answer is lost, the client reads the log to
/// see whether the event was stored. A worker token may not read the log, so such a worker may
/// write an event twice, but never loses one. Once the server says that the log is full or that the
/// job has another holder, nothing more is written.
public final class JobLog {
    /// The longest message that the server takes, in characters.
    public static final int MESSAGE_MAX = 4000;

    private static final int WAITING_MAX = 1_000;
    private static final Duration BETWEEN = Duration.ofMillis(200);
    private static final Duration TRY = Duration.ofSeconds(10);
    private static final Duration FIRST_WAIT = Duration.ofMillis(250);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /// @param source where the lines come from; null for a separate event, to which no line is
    ///     joined
    private static final class Entry {
        final JobEventLevel level;
        final @Nullable String source;
        final @Nullable String payload;
        final StringBuilder text = new StringBuilder();
        int lines = 1;

        Entry(JobEventLevel level, @Nullable String source, String text, @Nullable String payload) {
            this.level = level;
            this.source = source;
            this.payload = payload;
            this.text.append(text);
        }

        /// The server refuses a blank message.
        String message() {
            return text.toString().isBlank() ? "(blank)" : text.toString();
        }

        @Nullable String payloadSent() {
            if (source == null) {
                return payload;
            }
            ObjectNode about = Json.object().put("stream", source).put("lines", lines);
            return Json.text(about);
        }
    }

    private final JobQueue queue;
    private final ClaimedJob claimed;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private @Nullable Thread sender;
    private volatile Instant stored;
    private long leftOut;
    private boolean finishing;
    private boolean closed;

    JobLog(JobQueue queue, ClaimedJob claimed) {
        this.queue = queue;
        this.claimed = claimed;
        // Nothing that this attempt writes is older than its claim.
        stored = claimed.job().updatedAt();
    }

    /// Writes a separate event. A message that is too long is cut.
    ///
    /// @param payload JSON text of an object of at most 64 KB, or null
    public void event(JobEventLevel level, String message, @Nullable String payload) {
        add(new Entry(level, null, Texts.clean(message, MESSAGE_MAX), payload));
    }

    /// Writes a line of output. It may be joined with its neighbours from the same source into one
    /// event.
    ///
    /// @param source such as `stdout`
    public void line(JobEventLevel level, String source, String line) {
        add(new Entry(level, source, Texts.clean(line, MESSAGE_MAX), null));
    }

    private synchronized void add(Entry entry) {
        if (closed || finishing || joined(entry)) {
            return;
        }
        if (waiting.size() >= WAITING_MAX) {
            leftOut += entry.lines;
            return;
        }
        tellOfWhatWasLeftOut();
        waiting.add(entry);
        if (sender == null) {
            sender = Thread.ofVirtual().name("orchestrion-log-" + claimed.id()).start(this::sends);
        }
        notifyAll();
    }

    private boolean joined(Entry entry) {
        Entry last = waiting.peekLast();
        // The first one may be under way already, and is no longer touched.
        if (last == null
                || waiting.size() == 1
                || leftOut > 0
                || entry.source == null
                || !entry.source.equals(last.source)
                || entry.level != last.level
                || last.text.length() + 1 + entry.text.length() > MESSAGE_MAX) {
            return false;
        }
        last.text.append('\n').append(entry.text);
        last.lines++;
        return true;
    }

    private void tellOfWhatWasLeftOut() {
        if (leftOut > 0) {
            String message = leftOut + " lines were left out: they came faster than they went.";
            waiting.add(new Entry(JobEventLevel.WARN, null, message, null));
            leftOut = 0;
        }
    }

    private void sends() {
        try {
            Entry entry = next();
            while (entry != null) {
                sent(entry);
                entry = following();
            }
        } catch (InterruptedException e) {
            // Given up.
        } finally {
            close();
        }
    }

    /// The first entry, which stays in the queue while it is sent; null at the end.
    private synchronized @Nullable Entry next() throws InterruptedException {
        while (waiting.isEmpty() && !finishing && !closed) {
            wait();
        }
        if (waiting.isEmpty() && !closed) {
            tellOfWhatWasLeftOut();
        }
        return closed ? null : waiting.peekFirst();
    }

    /// Waits a moment, so that further lines can be joined, unless the job has ended.
    private @Nullable Entry following() throws InterruptedException {
        synchronized (this) {
            waiting.pollFirst();
        }
        pause(BETWEEN, true);
        return next();
    }

    private void sent(Entry entry) throws InterruptedException {
        Duration wait = FIRST_WAIT;
        boolean unclear = false;
        while (true) {
            try {
                if (!unclear || !there(entry)) {
                    stored =
                            queue.appendOnce(
                                            claimed,
                                            entry.level,
                                            entry.message(),
                                            entry.payloadSent(),
                                            TRY)
                                    .createdAt();
                }
                return;
            } catch (OrchestrionException e) {
                if (e.is(OrchestrionException.INTERRUPTED)) {
                    throw new InterruptedException();
                }
                if (!e.passing()) {
                    refused(e);
                    return;
                }
                unclear |= e.unclear();
                Duration asked = Duration.ofSeconds(e.retryAfterSeconds().orElse(0));
                pause(asked.compareTo(wait) > 0 ? asked : wait, false);
                wait = wait.multipliedBy(2);
                wait = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
            } catch (IllegalArgumentException e) {
                // A payload that is no JSON; the others are not to suffer from it.
                return;
            }
        }
    }

    /// Whether an event was stored although its answer was lost.
    private boolean there(Entry entry) {
        JobEventPage since;
        try {
            since = queue.events(claimed.id(), stored.toString(), 1000);
        } catch (OrchestrionException e) {
            if (e.passing() || e.is(OrchestrionException.INTERRUPTED)) {
                throw e;
            }
            return false;
        }
        for (JobEvent event : since.events()) {
            if (event.event() == null
                    && event.level() == entry.level
                    && event.message().equals(entry.message())
                    && Objects.equals(event.workerId(), claimed.workerId())) {
                stored = event.createdAt();
                return true;
            }
        }
        return false;
    }

    /// A refused event does not end the log. Any other refusal does.
    private void refused(OrchestrionException e) {
        if (e.status() != 400 && e.status() != 413) {
            close();
        }
    }

    private synchronized void pause(Duration wait, boolean notAtTheEnd)
            throws InterruptedException {
        long until = System.nanoTime() + wait.toNanos();
        long left = wait.toNanos();
        while (left > 0 && !closed && !(notAtTheEnd && finishing)) {
            wait(Math.max(1, left / 1_000_000));
            left = until - System.nanoTime();
        }
    }

    private synchronized void close() {
        closed = true;
        waiting.clear();
        notifyAll();
    }

    /// Accepts nothing more and waits until everything is stored, at most so long.
    void finish(Duration atMost) {
        Thread sending;
        synchronized (this) {
            finishing = true;
            sending = sender;
            notifyAll();
        }
        if (sending == null) {
            return;
        }
        try {
            if (!sending.join(atMost)) {
                abandon();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Drops everything that is not stored yet.
    void abandon() {
        Thread sending;
        synchronized (this) {
            sending = sender;
        }
        close();
        if (sending != null) {
            sending.interrupt();
        }
    }
}
