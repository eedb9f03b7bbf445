package io.orchestrion.kernel.work;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// How long the documents of items are, and how long they can be.
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

    /// Of one item in the queue.
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
