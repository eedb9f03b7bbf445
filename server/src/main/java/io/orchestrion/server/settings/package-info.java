/// The catalogue of settings, how their values are read and checked, and the page that describes
/// them.
@NullMarked
package io.orchestrion.server.settings;

import org.jspecify.annotations.NullMarked;
