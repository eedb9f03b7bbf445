package io.orchestrion.server.runs;

import io.orchestrion.kernel.events.RowFollowers;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.runs.output.Piece;
import io.orchestrion.runs.run.Run;
import io.orchestrion.server.door.EventFollow;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// How far one client is in the output of a run.
final class OutputPlace implements EventFollow.Place<List<Piece>> {
    /// What a stream takes at a time: half a megabyte at the most.
    private static final int PAGE = 8;

    private final Outputs outputs;
    private final RowFollowers.Follower follower;
    private final Run run;
    private final @Nullable UUID step;
    private long at;

    private OutputPlace(
            Outputs outputs,
            RowFollowers.Follower follower,
            Run run,
            @Nullable UUID step,
            long after) {
        this.outputs = outputs;
        this.follower = follower;
        this.run = run;
        this.step = step;
        this.at = after;
    }

    /// @param step null for all
    static EventFollow.Opening<List<Piece>> opening(
            Outputs outputs, Run run, @Nullable UUID step, long after) {
        return wake -> new OutputPlace(outputs, outputs.follow(run, wake), run, step, after);
    }

    @Override
    public List<Piece> next() {
        List<Piece> page = outputs.read(run.account(), run.id(), step, at, PAGE);
        at = page.isEmpty() ? at : page.getLast().seq();
        return page;
    }

    @Override
    public boolean empty(List<Piece> page) {
        return page.isEmpty();
    }

    @Override
    public boolean more(List<Piece> page) {
        return page.size() == PAGE;
    }

    @Override
    public String frames(List<Piece> page) {
        return EventFollow.frames(
                page,
                (frames, piece) ->
                        EventFollow.frame(
                                frames,
                                Long.toString(piece.seq()),
                                "output",
                                JsonWriter.objectText(out -> write(out, piece))));
    }

    private static void write(JsonWriter out, Piece piece) {
        out.integer("seq", piece.seq())
                .text("run_id", PublicId.RUN.of(piece.run()))
                .text("step_id", PublicId.STEP.of(piece.step()))
                .text("attempt_id", PublicId.ATTEMPT.of(piece.attempt()))
                .text("channel", piece.channel())
                .text("text", piece.content())
                .instant("at", piece.atMs());
    }

    @Override
    public String id() {
        return Long.toString(at);
    }

    @Override
    public void close() {
        follower.close();
    }
}
