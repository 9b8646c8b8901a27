extension FaultColumn {
    /// Who does not answer in time has not answered; all else passes.
    static let timeout = FaultColumn(
        name: "timeout",
        isImpatient: true,
        yaml: { "serve: { type: timeout, after: \($0.deadline), upstream: \($0.http) }" },
        cells: [
            .refused: .always(.failure("refused"), requests: 0),
            .dns: .always(.failure("dns"), requests: 0),
            .reset: .always(.failure("reset"), requests: 3),
            .hang: .always(.failure("timeout"), requests: 3),
            .slow: .always(.failure("timeout"), requests: 3),
            .notFound: .always(.failure("status-404"), requests: 3),
            .tooManyRequests: .always(.failure("status-429"), requests: 3),
            .serverError: .always(.failure("status-500"), requests: 3),
            .unavailable: .always(.failure("status-503"), requests: 3),
            .cutOff: .always(.failure("truncated"), requests: 3),
            .html: .always(.failure("malformed"), requests: 3),
            // Without `validated` these are answers like any other.
            .empty: .fetched("0 mugs"),
            .shrunken: .fetched("4 mugs"),
            .invalid: .always(.failure("malformed"), requests: 3),
        ])
}
