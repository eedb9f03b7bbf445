package io.orchestrion.kernel.egress;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Calls to addresses that accounts chose. Whatever is at such an address, a call is over in time
/// and takes little room; it goes to no network that is none of the account's business, and nowhere
/// but to the address it was given: redirects are answers like any other.
///
/// Who makes the server gives it to its engines. A call is made outside of any transaction.
public interface Egress {
    /// What is wrong with a URL that somebody gives us to call, as the end of a sentence that
    /// begins with its field; null when nothing is. Asks nobody: it looks at the form, and at whom
    /// an address in it, or `localhost`, stands for.
    @Nullable String knownFault(String url);

    /// The same, with what the name in it stands for now. A name that stands for nothing yet may
    /// come to: it is looked at again before each call. This may wait for a name server.
    @Nullable String fault(UUID account, String url);

    /// Makes a call and waits for its end. On a virtual thread, such as those of the pool, an
    /// interrupt ends it at once.
    ///
    /// @param account on whose behalf; names of one account that are never found hold up no other's
    /// @throws InterruptedException when this thread was interrupted; the request may have arrived
    CallOutcome call(UUID account, Call call) throws InterruptedException;
}
