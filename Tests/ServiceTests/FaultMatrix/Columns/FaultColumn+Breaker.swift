extension FaultColumn {
    /// After two failures in a row that are the upstream's own, it is not asked any more. What it says in peace, be it
    /// nonsense, trips nothing.
    static let breaker = FaultColumn(
        name: "circuit_breaker",
        yaml: { "serve: { type: circuit_breaker, failures: 2, open_for: 1h, upstream: \($0.http) }" },
        cells: [
            .refused: .tripped(by: "refused", requests: 0),
            .dns: .tripped(by: "dns", requests: 0),
            .reset: .tripped(by: "reset", requests: 2),
            .hang: .tripped(by: "timeout", requests: 2),
            .slow: .fetched("10 mugs"),
            .notFound: .always(.failure("status-404"), requests: 3),
            .tooManyRequests: .tripped(by: "status-429", requests: 2),
            .serverError: .tripped(by: "status-500", requests: 2),
            .unavailable: .tripped(by: "status-503", requests: 2),
            .cutOff: .tripped(by: "truncated", requests: 2),
            .html: .always(.failure("malformed"), requests: 3),
            // Without `validated` these are answers like any other.
            .empty: .fetched("0 mugs"),
            .shrunken: .fetched("4 mugs"),
            .invalid: .always(.failure("malformed"), requests: 3),
        ])
}

extension Cell {
    fileprivate static func tripped(by token: String, requests: Int) -> Cell {
        Cell([.failure(token), .failure(token), .failure("circuit-open")], requests: requests)
    }
}
