internal import Concurrency
internal import Health
internal import Logging
package import Networking
internal import Text

/// Sends requests of the Measurement Protocol.
package struct GoogleAnalyticsEndpoint: Sendable {
    enum Outcome: Sendable, Hashable {
        /// Accepted. The events may still be ignored: Google Analytics accepts everything.
        case delivered
        /// Rejected with a status that a retry would not change.
        case refused(status: Int)
        /// To be retried, not before `wait` is over.
        case failed(String, wait: Duration)
        /// Cancelled; the endpoint may have accepted it or not.
        case interrupted
    }

    /// The stream that counts the events: `G-` and some letters and digits.
    let measurementID: String
    /// May be read from a file, so it is read once per delivery.
    let secret: Credential
    private let client: HTTPClient
    /// The URL with the measurement id as its query.
    private let url: String
    private let timeout: Duration

    /// - Parameters:
    ///   - url: without a query or fragment.
    ///   - timeout: the timeout of one request.
    package init(client: HTTPClient, url: String, measurementID: String, secret: Credential, timeout: Duration) {
        self.client = client
        self.url = "\(url)?measurement_id=\(measurementID)"
        self.measurementID = measurementID
        self.secret = secret
        self.timeout = timeout
    }

    /// Sends a pack once. The secret, which the protocol puts into the URL, is removed from outcomes.
    ///
    /// Redirects are not followed, because they would disclose the secret.
    func send(_ pack: GoogleAnalyticsPack, _ secret: Secret) async -> Outcome {
        let parameter = QueryParameter("api_secret", secret.reveal()).encoded
        let request = HTTPClientRequest(
            method: "POST", url: "\(url)&\(parameter)",
            headers: [HTTPHeader("Content-Type", "application/json")], body: pack.body,
            // The body is read only to keep the connection.
            limits: HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: 64 * 1024),
            followsRedirects: false, discardsBody: true)
        do {
            let response = try await client.send(request)
            switch response.status {
            case 200..<300: return .delivered
            case 408, 429, 500...: return .failed("status \(response.status)", wait: response.retryAfter ?? .zero)
            default: return .refused(status: response.status)
            }
        } catch is CancellationError {
            return .interrupted
        } catch {
            // The client omits the query, but not texts of system calls.
            let text = "\(error)".replacing(parameter, with: "api_secret=\(secret)")
            return .failed(text.replacing(secret.reveal(), with: "\(secret)"), wait: .zero)
        }
    }
}

/// Tracks whether the endpoint is up, and the pause before the next try.
final class DeliveryHealth: Sendable {
    static let backoff = Backoff(base: .seconds(1), cap: .seconds(300))

    private struct State: Sendable {
        var failures = 0
        /// Pause that the endpoint asked for.
        var wait: Duration = .zero
        var isDown = false
        /// Whether there was a delivery since the last failure.
        var delivers = false
    }

    private let troubles: AnalyticsTroubles
    private let state = Mutex(State())

    init(_ troubles: AnalyticsTroubles) {
        self.troubles = troubles
    }

    /// Whether new events wait without a try.
    var isDown: Bool { state.withLock(\.isDown) }

    /// Pause before the next try: a random part of a limit that doubles with each failure from a second to five
    /// minutes, so that replicas do not retry together. It is at least the pause that the endpoint asked for, up to an
    /// hour.
    ///
    /// - Parameter jitter: the part, 0 to 1.
    func pause(jitter: Double) -> Duration {
        state.withLock { state in
            guard state.isDown else { return .zero }
            return max(min(state.wait, .seconds(3600)), Self.backoff.pause(after: state.failures) * jitter)
        }
    }

    func letTry() {
        state.withLock { $0.isDown = false }
    }

    /// Records a delivery. A refusal shows that the endpoint is up, but only a delivery ends an outage.
    ///
    /// - Parameters:
    ///   - isLast: whether no other events wait.
    ///   - isHeldOff: whether failed events get a pause of their own. A failure after a delivery is then not an outage,
    ///     unless the endpoint asks for a pause.
    func record(_ outcomes: [GoogleAnalyticsEndpoint.Outcome], isLast: Bool = true, isHeldOff: Bool = false) {
        var refusal: Int?
        var failure: (reason: String, wait: Duration)?
        for outcome in outcomes {
            switch outcome {
            case .delivered, .interrupted: break
            case .refused(let status): refusal = status
            case .failed(let reason, let wait): failure = (reason, max(wait, failure?.wait ?? .zero))
            }
        }
        let isDelivered = outcomes.contains(.delivered)
        state.withLock { state in
            if isDelivered || refusal != nil { (state.failures, state.isDown) = (0, false) }
            if isDelivered { state.delivers = true }
            guard let failure else { return }
            defer { state.delivers = false }
            if isHeldOff, state.delivers, failure.wait == .zero { return }
            (state.failures, state.wait, state.isDown) = (state.failures + 1, failure.wait, true)
        }
        if let refusal { troubles.report(.refused, cause: "status \(refusal)", ["status": "\(refusal)"]) }
        if isDelivered, refusal == nil { troubles.report(.refused, cause: nil) }
        if let failure { troubles.report(.undelivered, cause: failure.reason, ["error": "\(failure.reason)"]) }
        if isDelivered, failure == nil, isLast { troubles.report(.undelivered, cause: nil) }
    }
}
