package io.orchestrion.orchestrations.expression;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/// A list that grew out of another. `map` and `filter` add one element in each turn: copying the
/// list each time would be quadratic, so lists that share a beginning share its memory.
final class CelList extends AbstractList<Object> {
    private final ArrayList<Object> shared;
    private final int size;

    private CelList(ArrayList<Object> shared, int size) {
        this.shared = shared;
        this.size = size;
    }

    /// Charges for what is copied.
    static List<Object> joined(List<?> first, List<?> second) {
        CelBudget.charge(second.size());
        if (first instanceof CelList list && list.size == list.shared.size()) {
            // Nobody else has added to it, and who has it sees no further than its own size.
            list.shared.addAll(second);
            return new CelList(list.shared, list.shared.size());
        }
        CelBudget.charge(first.size());
        var both = new ArrayList<Object>(first.size() + second.size());
        both.addAll(first);
        both.addAll(second);
        return new CelList(both, both.size());
    }

    @Override
    public Object get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return shared.get(index);
    }

    @Override
    public int size() {
        return size;
    }
}
