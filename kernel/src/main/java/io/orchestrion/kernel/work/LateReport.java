package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.JsonText;

import org.jspecify.annotations.Nullable;

/// What a former holder reports of an item that has ended. It changes nothing, and the history
/// keeps it as evidence of what was done. Pure.
final class LateReport {
    /// A longer result is left out, and the history has only its length.
    static final int RESULT_MAX = 2048;

    private LateReport() {}

    /// Null where it is no such report, where it was sent before, or where the history has enough
    /// of them.
    static @Nullable Transition of(
            Profile profile, TransitionMaker maker, WorkItem item, Command command, long nowMs) {
        if (!item.state().ended()
                || item.place().stay().quiet() >= profile.keeping().lateReports()) {
            return null;
        }
        String detail =
                switch (command) {
                    case Command.Complete complete when late(item, complete, complete.fence()) ->
                            json(complete);
                    case Command.Fail fail when late(item, fail, fail.fence()) -> json(fail);
                    default -> null;
                };
        return detail == null
                ? null
                : maker.make(item, WorkEvent.LATE_REPORT, item.state(), nowMs, _ -> {})
                        .saying(detail);
    }

    private static boolean late(WorkItem item, Command command, Fence fence) {
        boolean repeated =
                command.settles() != null && command.settles().equals(item.holding().settled());
        return !repeated && fence.held(item);
    }

    private static String json(Command.Complete complete) {
        var out = new StringBuilder("{\"report\":\"complete\"");
        String result = complete.result();
        if (result != null && result.length() <= RESULT_MAX) {
            out.append(",\"result\":").append(result);
        } else if (result != null) {
            out.append(",\"result_length\":").append(result.length());
        }
        text(out, "output_ref", complete.outputRef());
        return rest(out, complete.report());
    }

    private static String json(Command.Fail fail) {
        var out = new StringBuilder("{\"report\":\"fail\"");
        text(out, "reason", fail.why());
        WorkError error = fail.report().error();
        if (error != null) {
            out.append(",\"error\":").append(error.json());
        }
        return rest(out, fail.report());
    }

    private static String rest(StringBuilder out, Report report) {
        if (report.usage() != null) {
            out.append(",\"usage\":").append(report.usage());
        }
        text(out, "logs_ref", report.logsRef());
        return out.append('}').toString();
    }

    private static void text(StringBuilder out, String name, @Nullable String value) {
        if (value != null) {
            JsonText.append(out.append(",\"").append(name).append("\":"), value);
        }
    }
}
