package io.orchestrion.kernel.egress;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Calls to addresses that accounts chose. Whatever is at such an address, a call is over in time
/// and takes little room; it goes to no network that is none of the account's business, and nowhere
/// but to the address it was given: redirects are answers like any other.
///
/// Who makes the server gives it to its engines. A call is made outside of any transaction.
public interface Egress {
    /// Why a URL that somebody gives us may not be called, as the end of a sentence that begins
    /// with its field; null when it may. It asks no name server. It checks the form, and the
    /// address if the URL has one or names `localhost`.
    @Nullable String knownFault(String url);

    /// The same, and also looks up the address of the name. A name without an address passes,
    /// because it may get one: it is looked up again before each call. This may wait for a name
    /// server.
    @Nullable String fault(UUID account, String url);

    /// Makes a call and waits for its end. On a virtual thread, such as those of the pool, an
    /// interrupt ends it at once.
    ///
    /// @param account that the call is made for; names of one account that are never found hold up
    ///     no other
    /// @throws InterruptedException when this thread was interrupted; the request may have arrived
    CallOutcome call(UUID account, Call call) throws InterruptedException;
}
