import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks or rewrites every tracked Java source with google-java-format: Format.java JAR --dry-run|--replace. */
class Format {
    public static void main(String[] args) throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath();
        var sources = new ArrayList<String>();
        try (var walk = Files.walk(root)) {
            walk.filter(p -> p.toString().endsWith(".java"))
                    .filter(p -> !p.toString().contains("/target/") && !p.toString().contains("/.mvn/"))
                    .filter(p -> !p.toString().contains("/node_modules/"))
                    .map(Path::toString)
                    .sorted()
                    .forEach(sources::add);
        }
        boolean check = args[1].equals("--dry-run");
        Path argFile = Files.createTempFile("format", ".args");
        Files.write(argFile, sources);
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                // Half a minute of work is over before what the second compiler makes pays for its making.
                "-XX:TieredStopAtLevel=1"));
        for (String part : List.of("api", "code", "file", "parser", "tree", "util")) {
            command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-jar", args[0], "--aosp", args[1]));
        if (check) {
            command.add("--set-exit-if-changed");
        }
        command.add("@" + argFile);
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        Files.delete(argFile);
        if (exit != 0 && check) {
            System.err.println("The files above are not formatted. Run: ./mvnw -N validate -Pformat");
        }
        System.exit(exit);
    }
}
