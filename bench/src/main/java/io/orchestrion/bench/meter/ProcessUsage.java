package io.orchestrion.bench.meter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What processes have used, as Linux tells it. Elsewhere nothing is known, which is said as NaN.
public final class ProcessUsage {
    private static final double TICKS_PER_SECOND = 100;

    private ProcessUsage() {}

    /// Seconds of processor time that the process has used.
    public static double cpuSeconds(long pid) {
        return seconds(pid, 11, 12);
    }

    /// Of the process and all below it, those that have ended included.
    public static double cpuSecondsOfTree(long pid) {
        return seconds(pid, 11, 12, 13, 14)
                + children(pid)
                        .mapToDouble(ProcessUsage::cpuSeconds)
                        .filter(seconds -> !Double.isNaN(seconds))
                        .sum();
    }

    private static double seconds(long pid, int... fields) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            // The name may hold blanks; what follows it does not. The first field then is the
            // third.
            String[] after = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            double ticks = 0;
            for (int field : fields) {
                ticks += Long.parseLong(after[field]);
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /// Megabytes of memory in use.
    public static double residentMegabytes(long pid) {
        return kilobytes(Path.of("/proc", String.valueOf(pid), "status"), "VmRSS:") / 1024;
    }

    /// Of the process and all below it, shared pages counted once.
    public static double residentMegabytesOfTree(long pid) {
        return Stream.concat(Stream.of(pid), children(pid).boxed())
                        .mapToDouble(
                                each ->
                                        kilobytes(
                                                Path.of(
                                                        "/proc",
                                                        String.valueOf(each),
                                                        "smaps_rollup"),
                                                "Pss:"))
                        .filter(kilobytes -> !Double.isNaN(kilobytes))
                        .sum()
                / 1024;
    }

    private static java.util.stream.LongStream children(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(ProcessHandle::pid);
    }

    private static double kilobytes(Path file, String field) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(field))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
