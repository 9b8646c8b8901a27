extension FaultColumn {
    /// The source alone: each request is one to the upstream, and what became of it is the answer.
    static let bare = FaultColumn(
        name: "no decorator",
        yaml: { "serve: \($0.http)" },
        cells: [
            .refused: .always(.failure("refused"), requests: 0),
            .dns: .always(.failure("dns"), requests: 0),
            .reset: .always(.failure("reset"), requests: 3),
            .hang: .always(.failure("timeout"), requests: 3),
            .slow: .fetched("10 mugs"),
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

extension Cell {
    /// The upstream's answer is taken for what it is, and from the second time on known not to have changed.
    static func fetched(_ mugs: String) -> Cell {
        .first(
            .answer("\(mugs) from network, 0 s old", "http: fetched"),
            then: .answer("\(mugs) from network, 0 s old", "http: unchanged"), requests: 3)
    }
}
