package io.orchestrion.kernel.lanes;

import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkView;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How long the documents of items are, and how long they can be. The lanes reserve memory by it.
final class DocumentLengths {
    /// A payload and a result, each at most as long as a payload may be.
    private static final Map<String, Integer> MOST =
            Profiles.ALL.stream()
                    .collect(
                            Collectors.toMap(
                                    Profile::queue,
                                    profile -> 2 * profile.bounds().payload().maxBytes(),
                                    Math::max));

    private DocumentLengths() {}

    /// The most for one item of the queue.
    static int most(String queue) {
        return MOST.getOrDefault(queue, 0);
    }

    static long of(List<WorkView> views) {
        long length = 0;
        for (WorkView view : views) {
            Documents documents = view.documents();
            String result = documents.result();
            length += documents.payload().length() + (result == null ? 0 : result.length());
        }
        return length;
    }
}
