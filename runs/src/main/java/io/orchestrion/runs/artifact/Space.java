package io.orchestrion.runs.artifact;

import io.orchestrion.runs.objects.ObjectKey;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Where the objects of one account lie in the store, and what signs their addresses. Two databases
/// may use one store, and may have the same account: each knows its own objects by the space.
@SuppressWarnings("ArrayRecordComponent") // It is read once and compared nowhere.
record Space(UUID account, UUID id, byte[] urlKey) {
    static final int URL_KEY_BYTES = 32;

    ObjectKey key(UUID artifact) {
        return new ObjectKey(account + "/" + id + "/" + artifact);
    }

    boolean has(ObjectKey key) {
        return key.text().startsWith(account + "/" + id + "/");
    }

    /// Whose an object may be; null when it is none of an artifact.
    static @Nullable UUID account(ObjectKey key) {
        String[] words = key.text().split("/", -1);
        try {
            return words.length == 3 ? UUID.fromString(words[0]) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
