internal import Configuration
internal import Networking

/// Sends requests of the Measurement Protocol.
struct GoogleAnalyticsEndpoint: Sendable {
    enum Outcome: Sendable, Hashable {
        /// Accepted, which does not say whether the events count: Google Analytics accepts everything.
        case delivered
        /// Rejected by a status that another try would not change.
        case refused(status: Int)
        /// Worth another try, not before `wait` is over.
        case failed(String, wait: Duration)
        /// Cancelled; the endpoint may have accepted it or not.
        case interrupted
    }

    let client: HTTPClient
    /// Has the measurement id as its query.
    let url: String
    /// May be in a file, so read it once in a delivery.
    let secret: Credential
    let timeout: Duration

    /// Sends a pack once. The secret, which the protocol puts into the URL, is in no outcome.
    ///
    /// Redirects are not followed, because the secret would follow them.
    func send(_ pack: GoogleAnalyticsPack, _ secret: Secret) async -> Outcome {
        let parameter = QueryParameter("api_secret", secret.reveal()).encoded
        let request = HTTPClientRequest(
            method: "POST", url: "\(url)&\(parameter)",
            headers: [HTTPHeader("Content-Type", "application/json")], body: pack.body,
            // A body is read, so that the connection can be kept, but of no use.
            limits: HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: 64 * 1024),
            followsRedirects: false, discardsBody: true)
        do {
            let response = try await client.send(request)
            switch response.status {
            case 200..<300: return .delivered
            case 500...: return .failed("status \(response.status)", wait: response.retryAfter ?? .zero)
            default: return .refused(status: response.status)
            }
        } catch is CancellationError {
            return .interrupted
        } catch {
            // The client leaves out the query, but not what a system call says.
            let text = "\(error)".replacing(parameter, with: "api_secret=\(secret)")
            return .failed(text.replacing(secret.reveal(), with: "\(secret)"), wait: .zero)
        }
    }
}
