package io.orchestrion.runs.objects;

import java.util.regex.Pattern;

/// The name of an object. We make all of them ourselves; what a caller calls an artifact is never
/// part of one, so no name can lead out of the store.
///
/// @param text words with a slash between them
public record ObjectKey(String text) {
    private static final String WORD = "[a-z0-9-]{1,64}";
    private static final Pattern FORM = Pattern.compile(WORD + "(/" + WORD + "){0,4}");

    public ObjectKey {
        if (!isOne(text)) {
            throw new IllegalArgumentException("not the key of an object: " + text);
        }
    }

    static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
