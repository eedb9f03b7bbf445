package io.orchestrion.runs.objects;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/// Where a service that speaks S3 is, and who we are to it.
///
/// @param endpoint null for the one of AWS in that region
/// @param prefix of all our keys, without a slash at the end; empty for none
/// @param accessKey with its secret; null to take what AWS tools take from the environment
/// @param pathStyle whether the bucket is named in the path, as most servers other than AWS want it
/// @param encryption the value of the header that asks for encryption at rest; null sends none
public record S3Options(
        String bucket,
        String region,
        @Nullable URI endpoint,
        String prefix,
        @Nullable String accessKey,
        @Nullable String secretKey,
        boolean pathStyle,
        @Nullable String encryption) {

    public S3Options {
        if ((accessKey == null) != (secretKey == null)) {
            throw new IllegalArgumentException("an access key comes with its secret");
        }
    }

    S3Options withEncryption(@Nullable String other) {
        return new S3Options(
                bucket, region, endpoint, prefix, accessKey, secretKey, pathStyle, other);
    }

    S3Options withEndpoint(URI other) {
        return new S3Options(
                bucket, region, other, prefix, accessKey, secretKey, pathStyle, encryption);
    }

    /// Secrets are in no log.
    @Override
    public String toString() {
        return "s3://" + bucket + "/" + prefix;
    }
}
