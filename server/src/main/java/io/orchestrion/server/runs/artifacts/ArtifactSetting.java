package io.orchestrion.server.runs.artifacts;

import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.runs.objects.S3Options;
import io.orchestrion.server.runs.RunsDoor;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.WebAddress;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The settings of artifacts: where they are kept, and how much.
public final class ArtifactSetting {
    private ArtifactSetting() {}

    private static final String FILES = "files";
    private static final String S3 = "s3";
    private static final String NO_ENCRYPTION = "none";
    private static final String A_BUCKET = "the name of a bucket";
    private static final String A_REGION = "the name of a region";
    private static final String A_PATH = "words with slashes between them";
    private static final String BUCKET_FORM = "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]";
    private static final String REGION_FORM = "[a-z0-9-]{1,40}";
    private static final String PREFIX_FORM = "[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*";

    public static final Setting RUN_ARTIFACTS_STORE =
            Setting.of(
                    "RUN_ARTIFACTS_STORE",
                    new Choice(List.of(FILES, S3)),
                    FILES,
                    "Where the bytes of artifacts are kept: in encrypted files, or in a service"
                            + " that speaks S3.");

    public static final Setting RUN_ARTIFACTS_FOLDER =
            Setting.of(
                            "RUN_ARTIFACTS_FOLDER",
                            new Text("FOLDER", "a folder"),
                            null,
                            "Folder of these files; artifacts in the data folder unless set."
                                    + " Several servers on one database must share it, or use S3.")
                    .asPath();

    public static final Setting RUN_ARTIFACTS_KEY_FILE =
            Setting.of(
                            "RUN_ARTIFACTS_KEY_FILE",
                            new Text("FILE", "a file"),
                            null,
                            "File with the key that these files are encrypted with;"
                                    + " artifacts.key in the data folder unless set. It is made"
                                    + " when it is missing. Only its owner may be able to read it."
                                    + " Without it, the artifacts are lost.")
                    .asPath();

    public static final Setting RUN_ARTIFACTS_S3_BUCKET =
            Setting.of(
                    "RUN_ARTIFACTS_S3_BUCKET",
                    new Text("NAME", A_BUCKET),
                    null,
                    "Bucket for artifacts. Required with s3.");

    public static final Setting RUN_ARTIFACTS_S3_REGION =
            Setting.of(
                    "RUN_ARTIFACTS_S3_REGION",
                    new Text("NAME", A_REGION),
                    "us-east-1",
                    "Region of the bucket.");

    public static final Setting RUN_ARTIFACTS_S3_ENDPOINT =
            Setting.of(
                    "RUN_ARTIFACTS_S3_ENDPOINT",
                    new WebAddress(false),
                    null,
                    "Address of a service other than that of AWS in the region.");

    public static final Setting RUN_ARTIFACTS_S3_PREFIX =
            Setting.of(
                    "RUN_ARTIFACTS_S3_PREFIX",
                    new Text("PATH", A_PATH),
                    null,
                    "What the keys of all objects begin with; nothing unless set.");

    public static final Setting RUN_ARTIFACTS_S3_ACCESS_KEY =
            Setting.of(
                    "RUN_ARTIFACTS_S3_ACCESS_KEY",
                    new Text("ID", "the id of an access key"),
                    null,
                    "Access key. Without it, credentials are found as tools of AWS find them: in"
                            + " the environment, a profile, or what the machine is given.");

    public static final Setting RUN_ARTIFACTS_S3_SECRET_KEY =
            Setting.of(
                            "RUN_ARTIFACTS_S3_SECRET_KEY",
                            new Text("TEXT", "any text"),
                            null,
                            "Secret of that access key. It has no option, because every user of a"
                                    + " machine can read command lines.")
                    .asSecret();

    public static final Setting RUN_ARTIFACTS_S3_SECRET_KEY_FILE =
            Setting.of(
                            "RUN_ARTIFACTS_S3_SECRET_KEY_FILE",
                            new Text("FILE", "a file"),
                            null,
                            "File whose first line is that secret.")
                    .asPath()
                    .holding(RUN_ARTIFACTS_S3_SECRET_KEY);

    public static final Setting RUN_ARTIFACTS_S3_PATH_STYLE =
            Setting.of(
                    "RUN_ARTIFACTS_S3_PATH_STYLE",
                    new Choice(List.of("true", "false")),
                    "false",
                    "Whether the bucket is named in the path and not in the host, as many services"
                            + " other than AWS want it.");

    public static final Setting RUN_ARTIFACTS_S3_ENCRYPTION =
            Setting.of(
                    "RUN_ARTIFACTS_S3_ENCRYPTION",
                    new Choice(List.of("aes256", "aws:kms", NO_ENCRYPTION)),
                    "aes256",
                    "How the service is asked to encrypt at rest; none for one that does so"
                            + " unasked.");

    public static final Setting RUN_ARTIFACTS_BYTES =
            Setting.of(
                    "RUN_ARTIFACTS_BYTES",
                    new Whole(1, 1_000_000_000_000_000L),
                    String.valueOf(ArtifactOptions.DEFAULT.bytesPerRun()),
                    "Bytes that all artifacts of a run may have together.");

    public static final Setting RUN_ARTIFACTS_COUNT =
            Setting.of(
                    "RUN_ARTIFACTS_COUNT",
                    new Whole(1, 100_000),
                    String.valueOf(ArtifactOptions.DEFAULT.artifactsPerRun()),
                    "Artifacts that a run may have.");

    public static final Setting RUN_ARTIFACTS_UPLOADS =
            Setting.of(
                    "RUN_ARTIFACTS_UPLOADS",
                    new Whole(1, 1_000),
                    String.valueOf(ArtifactOptions.DEFAULT.uploadsPerRun()),
                    "Uploads of a run at a time, on all servers together.");

    public static final Setting RUN_ARTIFACTS_TRANSFERS_PER_ACCOUNT =
            Setting.of(
                    "RUN_ARTIFACTS_TRANSFERS_PER_ACCOUNT",
                    new Whole(1, 10_000),
                    String.valueOf(ArtifactOptions.DEFAULT.transfersOfAccount()),
                    "Uploads of one account at a time on this server, and as many downloads.");

    public static final Setting RUN_ARTIFACTS_TRANSFERS =
            Setting.of(
                            "RUN_ARTIFACTS_TRANSFERS",
                            new Whole(1, 10_000),
                            String.valueOf(ArtifactOptions.DEFAULT.transfersOfNode()),
                            "Uploads at a time on this server, and as many downloads.")
                    .notLessThan(RUN_ARTIFACTS_TRANSFERS_PER_ACCOUNT);

    public static final List<Setting> ALL =
            List.of(
                    RUN_ARTIFACTS_STORE,
                    RUN_ARTIFACTS_FOLDER,
                    RUN_ARTIFACTS_KEY_FILE,
                    RUN_ARTIFACTS_S3_BUCKET,
                    RUN_ARTIFACTS_S3_REGION,
                    RUN_ARTIFACTS_S3_ENDPOINT,
                    RUN_ARTIFACTS_S3_PREFIX,
                    RUN_ARTIFACTS_S3_ACCESS_KEY,
                    RUN_ARTIFACTS_S3_SECRET_KEY,
                    RUN_ARTIFACTS_S3_SECRET_KEY_FILE,
                    RUN_ARTIFACTS_S3_PATH_STYLE,
                    RUN_ARTIFACTS_S3_ENCRYPTION,
                    RUN_ARTIFACTS_BYTES,
                    RUN_ARTIFACTS_COUNT,
                    RUN_ARTIFACTS_UPLOADS,
                    RUN_ARTIFACTS_TRANSFERS_PER_ACCOUNT,
                    RUN_ARTIFACTS_TRANSFERS);

    /// What is set; with a fault in it when something is invalid.
    public static ArtifactSettings read(Settings settings) {
        var faults = new ArrayList<>(settings.faults(RunsDoor.NAME));
        if (faults.isEmpty() && usesS3(settings)) {
            faults.addAll(faultsOfS3(settings));
        }
        return faults.isEmpty()
                ? ArtifactSettings.in(place(settings), options(settings))
                : ArtifactSettings.broken(String.join("; ", faults));
    }

    private static boolean usesS3(Settings settings) {
        return settings.text(RUN_ARTIFACTS_STORE).equals(S3);
    }

    private static List<String> faultsOfS3(Settings settings) {
        var faults = new ArrayList<String>();
        if (settings.find(RUN_ARTIFACTS_S3_BUCKET) == null) {
            faults.add(
                    RUN_ARTIFACTS_S3_BUCKET.key()
                            + " is required with "
                            + RUN_ARTIFACTS_STORE.key()
                            + " "
                            + S3);
        }
        check(settings, faults, RUN_ARTIFACTS_S3_BUCKET, BUCKET_FORM, A_BUCKET);
        check(settings, faults, RUN_ARTIFACTS_S3_REGION, REGION_FORM, A_REGION);
        check(settings, faults, RUN_ARTIFACTS_S3_PREFIX, PREFIX_FORM, A_PATH);
        boolean hasKey = settings.find(RUN_ARTIFACTS_S3_ACCESS_KEY) != null;
        String secret = settings.secret(RUN_ARTIFACTS_S3_SECRET_KEY);
        if (hasKey != (secret != null)) {
            faults.add(
                    RUN_ARTIFACTS_S3_ACCESS_KEY.key()
                            + " and "
                            + RUN_ARTIFACTS_S3_SECRET_KEY.key()
                            + " come together: set both or none");
        } else if (secret != null && secret.isBlank()) {
            faults.add(RUN_ARTIFACTS_S3_SECRET_KEY.key() + " must not be empty");
        }
        return faults;
    }

    private static void check(
            Settings settings, List<String> faults, Setting setting, String form, String what) {
        String value = settings.find(setting);
        if (value != null && !value.matches(form)) {
            faults.add(setting.key() + " must be " + what + ", not \"" + value + "\"");
        }
    }

    private static StorePlace place(Settings settings) {
        if (usesS3(settings)) {
            String encryption = settings.text(RUN_ARTIFACTS_S3_ENCRYPTION);
            String endpoint = settings.find(RUN_ARTIFACTS_S3_ENDPOINT);
            String prefix = settings.find(RUN_ARTIFACTS_S3_PREFIX);
            return new StorePlace.S3(
                    new S3Options(
                            settings.text(RUN_ARTIFACTS_S3_BUCKET),
                            settings.text(RUN_ARTIFACTS_S3_REGION),
                            endpoint == null ? null : URI.create(endpoint),
                            prefix == null ? "" : prefix,
                            settings.find(RUN_ARTIFACTS_S3_ACCESS_KEY),
                            settings.secret(RUN_ARTIFACTS_S3_SECRET_KEY),
                            settings.text(RUN_ARTIFACTS_S3_PATH_STYLE).equals("true"),
                            switch (encryption) {
                                case NO_ENCRYPTION -> null;
                                case "aes256" -> "AES256";
                                default -> encryption;
                            }));
        }
        return new StorePlace.Files(
                path(settings, RUN_ARTIFACTS_FOLDER, "artifacts"),
                path(settings, RUN_ARTIFACTS_KEY_FILE, "artifacts.key"));
    }

    private static Path path(Settings settings, Setting setting, String inData) {
        String set = settings.find(setting);
        return set == null ? settings.data().resolve(inData) : Path.of(set);
    }

    private static ArtifactOptions options(Settings settings) {
        return ArtifactOptions.DEFAULT
                .withBytesPerRun(Long.parseLong(settings.text(RUN_ARTIFACTS_BYTES)))
                .withArtifactsPerRun(settings.whole(RUN_ARTIFACTS_COUNT))
                .withUploadsPerRun(settings.whole(RUN_ARTIFACTS_UPLOADS))
                .withTransfers(
                        settings.whole(RUN_ARTIFACTS_TRANSFERS),
                        settings.whole(RUN_ARTIFACTS_TRANSFERS_PER_ACCOUNT));
    }
}
