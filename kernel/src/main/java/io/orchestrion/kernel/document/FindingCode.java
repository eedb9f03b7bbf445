package io.orchestrion.kernel.document;

import io.orchestrion.kernel.document.Finding.Level;
import io.orchestrion.kernel.document.Finding.Severity;

/// A kind of findings. Each kind of documents has an enum of its own beside [DocumentCode].
public interface FindingCode {
    /// As people and programs see it: never removed or renamed.
    String word();

    Severity severity();

    Level level();
}
