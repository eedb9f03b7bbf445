package io.orchestrion.kernel.schedule;

/// Times that no schedule can have; the field is the one to be changed.
public final class InvalidTiming extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;

    InvalidTiming(String field, String message) {
        super(message);
        this.field = field;
    }

    public String field() {
        return field;
    }

    /// What is wrong, to be read after the field's name.
    public String reason() {
        return String.valueOf(getMessage());
    }
}
