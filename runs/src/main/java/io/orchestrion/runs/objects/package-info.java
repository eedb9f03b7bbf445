/// Where the bytes of artifacts lie: in files or in a service that speaks S3.
@NullMarked
package io.orchestrion.runs.objects;

import org.jspecify.annotations.NullMarked;
