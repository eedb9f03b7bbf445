package io.orchestrion.orchestrations.model;

/// An approval as the model knows it.
///
/// @param of the name of the attempt that it is about
/// @param due -1 where it never expires
record Ask(String of, String kind, String status, long due, boolean byOther) {
    boolean pending() {
        return status.equals("pending");
    }

    Ask answered(String other, boolean someoneElse) {
        return new Ask(of, kind, other, due, someoneElse);
    }

    String text() {
        return "approval " + of + " " + kind + " " + status + " due " + due;
    }
}
