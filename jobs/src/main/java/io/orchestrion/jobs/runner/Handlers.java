package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.handler.JobHandler;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The real handlers that a runner has, by name.
public final class Handlers implements AutoCloseable {
    /// A handler's name that begins so means a worker outside; the rest is the type of the queue
    /// job.
    public static final String QUEUE_PREFIX = "queue:";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,120}");

    private final Map<String, JobHandler> byName = new TreeMap<>();
    private final @Nullable URLClassLoader loader;

    private Handlers(Iterable<JobHandler> handlers, @Nullable URLClassLoader loader) {
        this.loader = loader;
        for (JobHandler handler : handlers) {
            String name = handler.name();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "the handler "
                                + handler.getClass().getName()
                                + " calls itself \""
                                + name
                                + "\": letters, digits, dots, dashes and underscores, at most 120");
            }
            JobHandler other = byName.putIfAbsent(name, handler);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two handlers are called "
                                + name
                                + ": "
                                + other.getClass().getName()
                                + " and "
                                + handler.getClass().getName());
            }
        }
    }

    public static Handlers of(JobHandler... handlers) {
        return new Handlers(List.of(handlers), null);
    }

    /// Those on the class path.
    public static Handlers onClassPath() {
        return new Handlers(ServiceLoader.load(JobHandler.class), null);
    }

    /// Those on the class path and in the jars of a folder.
    public static Handlers in(Path folder) {
        var jars = new ArrayList<URL>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(".jar")) {
                    jars.add(url(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of handlers cannot be read: " + folder, e);
        }
        var loader = new URLClassLoader(jars.toArray(URL[]::new), Handlers.class.getClassLoader());
        return new Handlers(ServiceLoader.load(JobHandler.class, loader), loader);
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    @Nullable JobHandler named(String name) {
        return byName.get(name);
    }

    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    @Override
    public void close() {
        if (loader != null) {
            try {
                loader.close();
            } catch (IOException e) {
                throw new UncheckedIOException("the jars of handlers do not close", e);
            }
        }
    }
}
