internal import Configuration
internal import Networking

/// Where events are sent, and by which secret.
struct GoogleAnalyticsEndpoint: Sendable {
    /// What came of a request.
    enum Outcome: Sendable, Hashable {
        /// Taken, which says nothing of whether the events are counted: Google Analytics takes everything.
        case delivered
        /// Answered by a status that will be the same another time.
        case refused(status: Int)
        /// To be tried again, at the earliest after `wait`.
        case failed(String, wait: Duration)
        /// The task was cancelled; nothing is known.
        case interrupted
    }

    /// Bodies are of no interest; up to this size they are read, so that the connection can be kept.
    private static let patience = 64 * 1024

    let client: HTTPClient
    let url: String
    let measurementID: String
    let secret: Credential
    let timeout: Duration

    /// The secret as it is now; to be asked for once in a delivery, because it may be in a file.
    func currentSecret() async -> Secret {
        await secret.current()
    }

    /// Sends the events of a pack once. The secret, which the protocol puts into the URL, is in no outcome.
    func send(_ pack: GoogleAnalyticsPack, _ secret: Secret) async -> Outcome {
        do {
            let response = try await client.send(request(pack, secret))
            switch response.status {
            case 200..<300: return .delivered
            case 500...: return .failed("status \(response.status)", wait: response.retryAfter ?? .zero)
            default: return .refused(status: response.status)
            }
        } catch is CancellationError {
            return .interrupted
        } catch {
            return .failed(Self.text("\(error)", without: secret), wait: .zero)
        }
    }

    /// Redirects are not followed: the secret is meant for this place.
    private func request(_ pack: GoogleAnalyticsPack, _ secret: Secret) -> HTTPClientRequest {
        let query = [QueryParameter("measurement_id", measurementID), QueryParameter("api_secret", secret.reveal())]
        return HTTPClientRequest(
            method: "POST", url: "\(url)?\(query.map(\.encoded).joined(separator: "&"))",
            headers: [HTTPHeader("Content-Type", "application/json")], body: pack.body,
            limits: HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: Self.patience),
            followsRedirects: false, discardsBody: true)
    }

    /// The client leaves the query out; what the network says is not in its hands.
    private static func text(_ text: String, without secret: Secret) -> String {
        let forms = [secret.reveal(), QueryParameter("", secret.reveal()).encoded.dropFirst().description]
        return forms.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: "\(secret)") }
    }
}
