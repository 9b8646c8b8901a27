/// What came of a request to an upstream, in one word of a bounded set.
struct RequestOutcome: Sendable, Hashable {
    /// `ok` for what a catalogue can be made of, `status-503` for another response, `cancelled`, or the token of the
    /// `HTTPClientError`.
    let token: String

    init(_ response: HTTPClientResponse) {
        token = (200...299).contains(response.status) || response.status == 304 ? "ok" : "status-\(response.status)"
    }

    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError: token = error.token
        case is CancellationError: token = "cancelled"
        default: token = "other"
        }
    }
}
