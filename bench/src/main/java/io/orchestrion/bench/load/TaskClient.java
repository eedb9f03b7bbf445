package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/// The tasks door for one thread that waits for each answer.
public final class TaskClient implements AutoCloseable {
    private final TaskRequests requests;
    private final HttpLine line;

    public TaskClient(int port, String key) throws IOException {
        this(new TaskRequests(port, key));
    }

    public TaskClient(TaskRequests requests) throws IOException {
        this.requests = requests;
        line = new HttpLine(requests.port());
    }

    public void create(String type) throws IOException {
        line.exchange(requests.create(type));
    }

    /// Null when nothing came in time.
    public @Nullable Held claim(String type, int waitSeconds) throws IOException {
        return line.exchange(requests.claim(type, waitSeconds)).held();
    }

    public void complete(Held held) throws IOException {
        line.exchange(requests.complete().name(0, held));
    }

    /// Reports a failure that another attempt may mend.
    public void failForNow(Held held) throws IOException {
        line.exchange(requests.failForNow().name(0, held));
    }

    public void createMany(String type, int count) throws IOException {
        line.exchange(requests.createMany(type, count));
    }

    /// @param more fields of each, each with a comma before it
    public void createMany(String type, int count, String more) throws IOException {
        line.exchange(requests.createMany(type, count, more));
    }

    public List<Held> claimMany(String type, int most) throws IOException {
        return line.exchange(requests.claimMany(type, most)).allHeld();
    }

    /// A key of an account of its own.
    public String register(String name) throws IOException {
        String answer = line.exchange(requests.register(name)).body();
        int from = answer.indexOf("\"apiKey\":\"") + "\"apiKey\":\"".length();
        return answer.substring(from, answer.indexOf('"', from));
    }

    @Override
    public void close() {
        line.close();
    }
}
