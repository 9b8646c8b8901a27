package import CoreMetrics
public import FoundationEssentials
internal import JSON
package import Prometheus

/// Why a provider has no answer: the one error type of the graph.
///
/// Strategies, metrics and HTTP statuses depend on this closed set. Clients do not see it: `description` is for
/// operators, `token` for labels.
public enum ProductsFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No response arrived.
    case unreachable(UnreachableReason, detail: String, at: FailureSource = .unknown)
    /// No response arrived in time; `isConnecting` if no connection was made.
    case timedOut(after: Duration?, isConnecting: Bool = false, at: FailureSource = .unknown)
    /// The status of the response is unsuccessful.
    case upstreamStatus(Int, retryAfter: Duration?, at: FailureSource = .unknown)
    /// The upstream redirects more often than the limit.
    case tooManyRedirects(limit: Int, at: FailureSource = .unknown)
    /// The response is longer than the limit in bytes.
    case tooLarge(limit: Int, at: FailureSource = .unknown)
    /// The response is not a catalogue; the detail names the place and the value found.
    case malformed(detail: String, at: FailureSource = .unknown)
    /// The catalogue breaks a rule.
    case refused(RefusalReason, at: FailureSource = .unknown)
    case notStored
    /// The store cannot be used; the detail names file and cause. `answered` is false if the disk returned neither data
    /// nor an error in time, so that the stored content is unknown.
    case storeFailed(detail: String, answered: Bool = true)
    /// No catalogue can be served, and the upstream, which failed with this token, is not asked for a while. `since` is
    /// the time of the last good catalogue, which is now too old.
    case unavailable(reason: String, since: Date?, retryAfter: Duration)
    /// The upstream is not asked for a while, since it failed with this reason and detail. A catalogue may still be
    /// served.
    case paused(reason: String, detail: String, retryAfter: Duration)
    /// A circuit breaker is open, since the upstream failed too often.
    case circuitOpen(retryAfter: Duration)
    case overloaded(limit: Int)
    case cancelled

    /// The sentence for operators.
    public var description: String { source.completing(sentence) }

    private var sentence: String {
        switch self {
        case .unreachable(let reason, let detail, _): "upstream unreachable (\(reason.rawValue)): \(detail)"
        case .timedOut(let limit, _, let source):
            (limit.map { "no answer within \($0.rounded)" } ?? "no answer in time")
                + (source.url.map { " from \($0)" } ?? "")
        case .upstreamStatus(let status, let retryAfter, let source):
            (source.page.map { "page \($0): " } ?? "")
                + (source.url.map { "\(status) from \($0)" } ?? "upstream answered \(status)")
                + (status == 206 ? ", a part of the list; \"pagination\" reads all parts" : "")
                + (retryAfter.map { ", and to retry after \($0.rounded)" } ?? "")
        case .tooManyRedirects(let limit, _): "upstream redirected more than \(limit) times"
        case .tooLarge(let limit, _): "the answer is longer than \(limit) bytes"
        case .malformed(let detail, _): "not a catalogue: \(detail)"
        case .refused(let reason, _): "catalogue refused: \(reason)"
        case .notStored: "nothing has been stored yet"
        case .storeFailed(let detail, _): "store failed: \(detail)"
        case .unavailable(let reason, let since, let retryAfter):
            Self.nothing(since) + "; the upstream failed (\(reason)) and is asked again after \(retryAfter.rounded)"
        case .paused(_, let detail, let retryAfter):
            "\(detail); the upstream is asked again after \(retryAfter.rounded)"
        case .circuitOpen(let retryAfter): "the circuit breaker is open; it tries again after \(retryAfter.rounded)"
        case .overloaded(let limit): "more than \(limit) requests are under way"
        case .cancelled: "cancelled"
        }
    }

    /// The sentence for a single request, without the time of the next attempt.
    ///
    /// - Parameter cause: describes the upstream's failure by the token in `unavailable`; nil if unknown.
    package func description(causedBy cause: (String) -> String?) -> String {
        guard case .unavailable(let reason, let since, _) = self else { return description }
        return Self.nothing(since) + "; " + (cause(reason) ?? "the upstream failed (\(reason))")
    }

    private static func nothing(_ since: Date?) -> String {
        "nothing to serve"
            + (since.map { ": the last good catalogue, of \($0.formatted(.iso8601)), is too old" } ?? "")
    }

    /// The bounded label for metrics and trails: `refused`, `timeout`, `status-503`, …
    package var token: String {
        switch self {
        case .unreachable(let reason, _, _): reason.rawValue
        case .timedOut: "timeout"
        case .upstreamStatus(let status, _, _): "status-\(status)"
        case .tooManyRedirects: "redirects"
        case .tooLarge: "too-large"
        case .malformed: "malformed"
        case .refused(let reason, _): reason.token
        case .notStored: "not-stored"
        case .storeFailed: "store-failed"
        case .unavailable, .paused: "unavailable"
        case .circuitOpen: "circuit-open"
        case .overloaded: "overloaded"
        case .cancelled: "cancelled"
        }
    }

    /// The token of the failure behind a pause, or of the failure itself.
    package var causeToken: String {
        switch self {
        case .unavailable(let reason, _, _), .paused(let reason, _, _): reason
        default: token
        }
    }

    /// Whether no connection took place, which counts against reachability.
    ///
    /// A late response does not count, nor a connection that broke, ended early or failed in its handshake: a probe
    /// that only connects would succeed.
    package var isConnectionFailure: Bool {
        switch self {
        case .unreachable(.refused, _, _), .unreachable(.dns, _, _), .unreachable(.offline, _, _),
            .unreachable(.other, _, _):
            true
        case .timedOut(_, let isConnecting, _): isConnecting
        default: false
        }
    }

    /// The pause that the upstream, or the circuit breaker, asks for.
    package var retryAfter: Duration? {
        switch self {
        case .upstreamStatus(_, let retryAfter, _): retryAfter
        case .unavailable(_, _, let retryAfter), .paused(_, _, let retryAfter), .circuitOpen(let retryAfter): retryAfter
        default: nil
        }
    }

    package var upstreamStatus: Int? {
        guard case .upstreamStatus(let status, _, _) = self else { return nil }
        return status
    }

    /// Converts any error. An error that is not the graph's own counts as a malformed answer.
    package init(_ error: any Error) {
        self =
            switch error {
            case let failure as ProductsFailure: failure
            case is CancellationError: .cancelled
            default: .malformed(detail: "\(error)")
            }
    }

    /// Converts an error of decoding.
    init(decoding error: any Error) {
        self =
            switch error {
            case let failure as ProductsFailure: failure
            case let error as JSONSyntaxError: .malformed(detail: "invalid JSON at \(error)")
            case let error as DecodingError: .malformed(detail: error.jsonSummary)
            default: .malformed(detail: "\(error)")
            }
    }
}

/// Why no response arrived. The raw value is a metric label.
public enum UnreachableReason: String, Sendable, Hashable, CaseIterable {
    case refused
    case reset
    /// The upstream's name could not be resolved.
    case dns
    /// No secure connection could be made.
    case tls
    /// The proxy on the way cannot be reached, or refuses.
    case proxy
    /// The connection ended within the response.
    case truncated
    /// The upstream was not asked, since its monitor reports it as unreachable.
    case offline
    /// Another failure below HTTP.
    case other
}

/// Counts refused catalogues by reason. Only the refusing provider counts, not those that pass the failure on.
package struct RefusalMeter: Sendable {
    private let counters: [RefusalReason.Rule: Counter]

    /// - Parameter factory: without one nothing is recorded.
    package init(_ factory: (any MetricsFactory)? = nil) {
        counters = MetricDescription.refused.counters(by: "reason", in: factory)
    }

    /// Counts the failure, if it is a refusal.
    package func record(_ failure: ProductsFailure) {
        guard case .refused(let reason, _) = failure else { return }
        counters[reason.rule]?.increment()
    }

    /// Runs work that may refuse a catalogue.
    package func counting<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let failure as ProductsFailure {
            record(failure)
            throw failure
        }
    }
}

extension MetricDescription {
    package static let refused = MetricDescription(
        "larder_refused", .counter, "Complete catalogues that were refused, by reason.")
}

extension Duration {
    /// The duration rounded for messages: `30s`, `1.5s`, `0.9s`, `50ms`.
    var rounded: String {
        let (seconds, attoseconds) = components
        if seconds >= 10 { return "\(seconds + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0))s" }
        let thousandths = Int((Double(seconds) * 1000 + Double(attoseconds) / 1e15).rounded())
        if (1..<100).contains(thousandths) { return "\(thousandths)ms" }
        let tenths = (thousandths + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
    }
}
