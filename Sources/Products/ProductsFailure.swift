public import FoundationEssentials

/// Why a provider has no answer: the one error type of the graph.
///
/// The set is closed so that strategies, metrics and HTTP statuses can be decided by it. Nothing in it goes to clients:
/// `description` is for operators, `token` for labels.
public enum ProductsFailure: Error, Sendable, Hashable {
    /// No answer came back.
    case unreachable(UnreachableReason, detail: String, at: FailureSource = .unknown)
    /// No answer came back in time.
    case timedOut(after: Duration?, at: FailureSource = .unknown)
    /// The upstream answered with a status that is not a success.
    case upstreamStatus(Int, retryAfter: Duration?, at: FailureSource = .unknown)
    /// The upstream's redirects do not end.
    case tooManyRedirects(limit: Int, at: FailureSource = .unknown)
    /// The answer is longer than is accepted.
    case tooLarge(limit: Int, at: FailureSource = .unknown)
    /// The answer is not a catalogue; the detail says what was found and where.
    case malformed(detail: String, at: FailureSource = .unknown)
    /// The answer is a catalogue, but not one to believe.
    case refused(RefusalReason, at: FailureSource = .unknown)
    /// Nothing has been stored yet.
    case notStored
    /// The store cannot be used; the detail names file and cause. `answered` is false where its disk gave neither data
    /// nor an error in time, so that nothing is known of what is stored.
    case storeFailed(detail: String, answered: Bool = true)
    /// Nothing can be served, and the upstream, which failed for the reason that the token names, is left alone for
    /// a while. `since` is when the last good catalogue, too old by now, was confirmed.
    case unavailable(reason: String, since: Date?, retryAfter: Duration)
    /// A circuit breaker does not let the upstream be asked, since it failed too often.
    case circuitOpen(retryAfter: Duration)
    /// More requests are under way than a limit allows.
    case overloaded(limit: Int)
    /// The one who asked no longer wants the answer.
    case cancelled
}
