package io.orchestrion.runs.objects;

import io.orchestrion.kernel.fault.Failpoints;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/// Objects in a service that speaks S3. The service encrypts them at rest, checks what arrives by
/// its SHA-256, and refuses to write a key a second time.
///
/// An object goes in parts, each held in memory until the service has it, so that a part can be
/// sent again. What fits into one part is sent in one request.
public final class S3Store implements ObjectStore {
    /// The least that S3 takes as a part; ten thousand of them make 50 GB.
    private static final int PART_BYTES = 5 * 1024 * 1024;

    private static final int PARTS_MAX = 10_000;
    private static final int PAGE_MAX = 1_000;
    private static final String UNFINISHED = "unfinished:";
    private static final String NEVER_OVERWRITE = "*";

    /// What tells one write from another of the same key.
    private static final String WRITE = "orchestrion-write";

    private final S3Client client;
    private final S3Options options;
    private final String prefix;
    private final Failpoints failpoints;

    public S3Store(S3Options options, Failpoints failpoints) {
        this.options = options;
        this.prefix = options.prefix().isEmpty() ? "" : options.prefix() + "/";
        this.failpoints = failpoints;
        S3ClientBuilder builder =
                S3Client.builder()
                        .region(Region.of(options.region()))
                        .forcePathStyle(options.pathStyle())
                        .httpClient(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(Duration.ofSeconds(5))
                                        .socketTimeout(Duration.ofSeconds(30))
                                        .build())
                        .credentialsProvider(
                                options.accessKey() == null || options.secretKey() == null
                                        ? DefaultCredentialsProvider.builder().build()
                                        : StaticCredentialsProvider.create(
                                                AwsBasicCredentials.create(
                                                        options.accessKey(), options.secretKey())));
        if (options.endpoint() != null) {
            builder.endpointOverride(options.endpoint());
        }
        this.client = builder.build();
    }

    private String name(ObjectKey key) {
        return prefix + key.text();
    }

    /// Turns what the client throws into what a store throws.
    private static <T extends @Nullable Object> T asked(Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (SdkException e) {
            throw new IOException("the object service failed: " + e.getMessage(), e);
        }
    }

    private static boolean isTaken(SdkException e) {
        // 409 is what AWS says while another write of the key is under way.
        return e instanceof S3Exception answer
                && (answer.statusCode() == 412 || answer.statusCode() == 409);
    }

    @Override
    public Written put(ObjectKey key, InputStream source) throws IOException {
        // A buffer that grows: most objects are small.
        byte[] part = source.readNBytes(PART_BYTES);
        var sha256 = new Sha256();
        sha256.add(part, 0, part.length);
        int first = part.length < PART_BYTES ? -1 : source.read();
        if (first < 0) {
            putWhole(key, part);
            failpoints.hit("object.whole-put");
            return new Written(part.length, sha256.hex());
        }
        return putParts(key, source, part, first, sha256);
    }

    private void putWhole(ObjectKey key, byte[] content) throws IOException {
        String write = UUID.randomUUID().toString();
        try {
            client.putObject(
                    request ->
                            request.bucket(options.bucket())
                                    .key(name(key))
                                    .ifNoneMatch(NEVER_OVERWRITE)
                                    .metadata(Map.of(WRITE, write))
                                    .serverSideEncryption(options.encryption())
                                    .checksumAlgorithm(ChecksumAlgorithm.SHA256),
                    RequestBody.fromByteBuffer(ByteBuffer.wrap(content)));
        } catch (SdkException e) {
            settle(key, write, e);
        }
    }

    /// The client sends a request again whose answer got lost. The service then refuses it, because
    /// the first one has written the object, so what is there decides.
    private void settle(ObjectKey key, String write, SdkException e) throws IOException {
        if (!isTaken(e) && !(e instanceof NoSuchUploadException)) {
            throw failed(e);
        }
        if (!write.equals(writeOf(key))) {
            throw isTaken(e) ? new KeyTaken(key) : failed(e);
        }
    }

    /// Null where there is no object, or one that something else wrote.
    private @Nullable String writeOf(ObjectKey key) throws IOException {
        try {
            return client.headObject(request -> request.bucket(options.bucket()).key(name(key)))
                    .metadata()
                    .get(WRITE);
        } catch (NoSuchKeyException e) {
            return null;
        } catch (SdkException e) {
            throw failed(e);
        }
    }

    private static IOException failed(SdkException e) {
        return new IOException("the object service failed: " + e.getMessage(), e);
    }

    private Written putParts(
            ObjectKey key, InputStream source, byte[] part, int first, Sha256 sha256)
            throws IOException {
        String write = UUID.randomUUID().toString();
        String upload = begin(key, write);
        boolean done = false;
        try {
            var sent = new ArrayList<CompletedPart>();
            long size = 0;
            int filled = PART_BYTES;
            int next = first;
            while (filled > 0) {
                sent.add(send(key, upload, sent.size() + 1, part, filled));
                failpoints.hit("object.part-put");
                size += filled;
                filled = 0;
                if (next >= 0) {
                    if (sent.size() == PARTS_MAX) {
                        throw new IOException("an object has at most " + PARTS_MAX + " parts");
                    }
                    part[0] = (byte) next;
                    filled = 1 + source.readNBytes(part, 1, PART_BYTES - 1);
                    sha256.add(part, 0, filled);
                    next = filled == PART_BYTES ? source.read() : -1;
                }
            }
            complete(key, upload, write, sent);
            done = true;
            failpoints.hit("object.parts-completed");
            return new Written(size, sha256.hex());
        } finally {
            if (!done) {
                abort(key, upload);
            }
        }
    }

    private String begin(ObjectKey key, String write) throws IOException {
        return asked(
                () ->
                        client.createMultipartUpload(
                                        request ->
                                                request.bucket(options.bucket())
                                                        .key(name(key))
                                                        .metadata(Map.of(WRITE, write))
                                                        .serverSideEncryption(options.encryption())
                                                        .checksumAlgorithm(
                                                                ChecksumAlgorithm.SHA256))
                                .uploadId());
    }

    private CompletedPart send(ObjectKey key, String upload, int number, byte[] part, int length)
            throws IOException {
        UploadPartResponse sent =
                asked(
                        () ->
                                client.uploadPart(
                                        request ->
                                                request.bucket(options.bucket())
                                                        .key(name(key))
                                                        .uploadId(upload)
                                                        .partNumber(number)
                                                        .checksumAlgorithm(
                                                                ChecksumAlgorithm.SHA256),
                                        RequestBody.fromByteBuffer(
                                                ByteBuffer.wrap(part, 0, length))));
        return CompletedPart.builder()
                .partNumber(number)
                .eTag(sent.eTag())
                .checksumSHA256(sent.checksumSHA256())
                .build();
    }

    private void complete(ObjectKey key, String upload, String write, List<CompletedPart> parts)
            throws IOException {
        try {
            client.completeMultipartUpload(
                    request ->
                            request.bucket(options.bucket())
                                    .key(name(key))
                                    .uploadId(upload)
                                    .ifNoneMatch(NEVER_OVERWRITE)
                                    .multipartUpload(all -> all.parts(parts)));
        } catch (SdkException e) {
            settle(key, write, e);
        }
    }

    /// A write that cannot be taken back now is found by the sweep.
    private void abort(ObjectKey key, String upload) {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(options.bucket()).key(name(key)).uploadId(upload));
        } catch (SdkException e) {
            // What led here is thrown; the sweep takes the parts away.
        }
    }

    @Override
    public InputStream open(ObjectKey key, long from, long length) throws IOException {
        if (length == 0) {
            return InputStream.nullInputStream();
        }
        try {
            var content =
                    client.getObject(
                            request ->
                                    request.bucket(options.bucket())
                                            .key(name(key))
                                            .range("bytes=" + from + "-" + (from + length - 1)));
            return new S3Content(content, length);
        } catch (NoSuchKeyException e) {
            throw new NoSuchObject(key);
        } catch (SdkException e) {
            throw failed(e);
        }
    }

    @Override
    public void remove(ObjectKey key) throws IOException {
        removeUnfinished(key);
        asked(
                () ->
                        client.deleteObject(
                                request -> request.bucket(options.bucket()).key(name(key))));
    }

    @Override
    public void removeUnfinished(ObjectKey key) throws IOException {
        ListMultipartUploadsResponse open =
                asked(
                        () ->
                                client.listMultipartUploads(
                                        request ->
                                                request.bucket(options.bucket())
                                                        .prefix(name(key))));
        for (MultipartUpload upload : open.uploads()) {
            if (upload.key().equals(name(key))) {
                try {
                    client.abortMultipartUpload(
                            request ->
                                    request.bucket(options.bucket())
                                            .key(upload.key())
                                            .uploadId(upload.uploadId()));
                } catch (NoSuchUploadException e) {
                    // Another node was faster.
                } catch (SdkException e) {
                    throw failed(e);
                }
            }
        }
    }

    @Override
    public Page list(@Nullable String at, int most) throws IOException {
        return at == null || !at.startsWith(UNFINISHED)
                ? finished(at, Math.min(most, PAGE_MAX))
                : unfinished(at.substring(UNFINISHED.length()), Math.min(most, PAGE_MAX));
    }

    private Page finished(@Nullable String after, int most) throws IOException {
        ListObjectsV2Response page =
                asked(
                        () ->
                                client.listObjectsV2(
                                        request ->
                                                request.bucket(options.bucket())
                                                        .prefix(prefix)
                                                        .startAfter(after)
                                                        .maxKeys(most)));
        var found = new ArrayList<Found>();
        for (S3Object each : page.contents()) {
            add(found, each.key(), true);
        }
        boolean more = Boolean.TRUE.equals(page.isTruncated()) && !page.contents().isEmpty();
        return new Page(found, more ? page.contents().getLast().key() : UNFINISHED);
    }

    /// The key that was looked at last is where the next page begins. All writes of one key would
    /// have to be more than a page for one of them to be left out.
    private Page unfinished(String after, int most) throws IOException {
        ListMultipartUploadsResponse page =
                asked(
                        () ->
                                client.listMultipartUploads(
                                        request ->
                                                request.bucket(options.bucket())
                                                        .prefix(prefix)
                                                        .keyMarker(after.isEmpty() ? null : after)
                                                        .maxUploads(most)));
        var found = new ArrayList<Found>();
        for (MultipartUpload each : page.uploads()) {
            add(found, each.key(), false);
        }
        boolean more = Boolean.TRUE.equals(page.isTruncated()) && !page.uploads().isEmpty();
        return new Page(found, more ? UNFINISHED + page.uploads().getLast().key() : null);
    }

    /// Others may have put objects of their own there.
    private void add(List<Found> found, String name, boolean finished) {
        String text = name.substring(prefix.length());
        if (ObjectKey.isOne(text)) {
            found.add(new Found(new ObjectKey(text), finished));
        }
    }

    /// While the first part grows there are two copies of it.
    @Override
    public int bufferBytes() {
        return 2 * PART_BYTES;
    }

    @Override
    public void close() {
        client.close();
    }
}
