extension FaultColumn {
    /// What another try may mend is tried once more; what the upstream would only say again is not.
    static let retry = FaultColumn(
        name: "retry",
        yaml: { "serve: { type: retry, attempts: 2, base: 1ms, cap: 1ms, budget: 1, upstream: \($0.http) }" },
        cells: [
            .refused: .always(.failure("refused"), requests: 0),
            .dns: .always(.failure("dns"), requests: 0),
            .reset: .always(.failure("reset"), requests: 6),
            .hang: .always(.failure("timeout"), requests: 6),
            .slow: .fetched("10 mugs"),
            .notFound: .always(.failure("status-404"), requests: 3),
            .tooManyRequests: .always(.failure("status-429"), requests: 6),
            .serverError: .always(.failure("status-500"), requests: 6),
            .unavailable: .always(.failure("status-503"), requests: 6),
            .cutOff: .always(.failure("truncated"), requests: 6),
            .html: .always(.failure("malformed"), requests: 3),
            // Without `validated` these are answers like any other.
            .empty: .fetched("0 mugs"),
            .shrunken: .fetched("4 mugs"),
            .invalid: .always(.failure("malformed"), requests: 3),
        ])
}
