internal import JSON
package import Networking
package import Text

/// A kind of telemetry, by its path.
package enum OTLPSignal: String, Sendable, CaseIterable {
    case traces, metrics, logs

    /// The word for what is sent.
    var records: String {
        switch self {
        case .traces: "spans"
        case .metrics: "data points"
        case .logs: "log records"
        }
    }

    /// The member of a response with the number of items that were not taken.
    fileprivate var rejected: String {
        switch self {
        case .traces: "rejectedSpans"
        case .metrics: "rejectedDataPoints"
        case .logs: "rejectedLogRecords"
        }
    }
}

/// Sends telemetry to a collector, by OTLP over HTTP with JSON.
package struct OTLPEndpoint: Sendable {
    enum Outcome: Sendable, Hashable {
        /// Taken, without some items.
        case taken(rejected: Int, reason: String)
        /// Refused for good.
        case refused(String)
        /// To be sent again, not before `wait` is over.
        case failed(String, wait: Duration)
        /// Cancelled; the collector may have taken it or not.
        case interrupted
    }

    /// The default of the protocol's exporters.
    private static let timeout = Duration.seconds(10)
    /// The statuses after which the protocol allows another try.
    private static let retried: Set<Int> = [429, 502, 503, 504]

    private let client: HTTPClient
    private let url: String
    private let headers: [HTTPHeader]
    private let redaction: Redaction

    /// - Parameters:
    ///   - url: without query; the path of each signal is added.
    ///   - secrets: are removed from messages.
    package init(client: HTTPClient, url: String, headers: [HTTPHeader], secrets: [Secret]) {
        (self.client, self.headers) = (client, headers)
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        redaction = Redaction(secrets.map { $0.reveal() })
    }

    /// Sends a request once.
    func send(_ signal: OTLPSignal, _ body: [UInt8]) async -> Outcome {
        let request = HTTPClientRequest(
            method: "POST", url: "\(url)/v1/\(signal.rawValue)",
            headers: [HTTPHeader("Content-Type", "application/json")] + headers, body: body,
            limits: HTTPClientLimits(connectTimeout: Self.timeout, timeout: Self.timeout, body: 1 << 20),
            followsRedirects: false)
        do {
            let response = try await client.send(request)
            let text = redaction.applied(to: "\(response.status) from \(request.place)")
            switch response.status {
            case 200..<300: return Self.taken(response, signal)
            case let status where Self.retried.contains(status):
                return .failed(text, wait: response.retryAfter ?? .zero)
            default: return .refused(text)
            }
        } catch is CancellationError {
            return .interrupted
        } catch {
            return .failed(redaction.applied(to: "\(error)"), wait: .zero)
        }
    }

    private static func taken(_ response: HTTPClientResponse, _ signal: OTLPSignal) -> Outcome {
        let partial = (try? JSONParser().parse(response.body))?.object?["partialSuccess"]?.object
        let count = partial?[signal.rejected]
        let rejected = count?.string.flatMap { Int($0) } ?? count?.number?.integer ?? 0
        let reason = TextExcerpt(partial?["errorMessage"]?.string ?? "", limit: 200)
        return .taken(rejected: max(0, rejected), reason: "\(reason)")
    }
}
