import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Prints, at the end of a build, the ten slowest test classes and every test that passed only when it was run again.
class SuiteReport {
    record SlowClass(String name, double seconds) {}

    public static void main(String[] arguments) throws Exception {
        var classes = new ArrayList<SlowClass>();
        var repeated = new ArrayList<String>();
        int tests = 0;
        for (Path report : reports(Path.of(arguments[0]))) {
            Element suite =
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(report.toFile())
                            .getDocumentElement();
            NodeList cases = suite.getElementsByTagName("testcase");
            tests += cases.getLength();
            classes.add(
                    new SlowClass(
                            suite.getAttribute("name"),
                            Double.parseDouble(suite.getAttribute("time"))));
            for (int i = 0; i < cases.getLength(); i++) {
                var test = (Element) cases.item(i);
                if (test.getElementsByTagName("flakyFailure").getLength() > 0
                        || test.getElementsByTagName("flakyError").getLength() > 0) {
                    repeated.add(test.getAttribute("classname") + "." + test.getAttribute("name"));
                }
            }
        }
        classes.sort(Comparator.comparingDouble(SlowClass::seconds).reversed());
        System.out.println("The ten slowest of " + classes.size() + " test classes (" + tests + " tests):");
        for (SlowClass each : classes.subList(0, Math.min(10, classes.size()))) {
            System.out.printf(Locale.ROOT, "  %7.1f s  %s%n", each.seconds(), each.name());
        }
        System.out.println(
                repeated.isEmpty()
                        ? "No test needed a second run."
                        : "Tests that failed once and passed when run again: " + repeated.size());
        repeated.stream().sorted().forEach(name -> System.out.println("  " + name));
    }

    private static List<Path> reports(Path root) throws IOException {
        var found = new ArrayList<Path>();
        try (var modules = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path module : modules) {
                Path folder = module.resolve("target/surefire-reports");
                if (Files.isDirectory(folder)) {
                    try (var files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
                        files.forEach(found::add);
                    }
                }
            }
        }
        return found;
    }
}
