extension FaultColumn {
    /// What was saved on a good day stands in, but every request asks the upstream first.
    static let fallback = FaultColumn(
        name: "fallback",
        keepsAnswers: true,
        yaml: { parts in
            """
            stores:
              disk: { type: json_file, directory: "\(parts.data)/store" }
            serve:
              type: fallback
              primary: { type: caching, store: disk, upstream: \(parts.http) }
              secondary: { type: stored, store: disk }
            """
        },
        cells: [
            .refused: .replaced("refused", requests: 0),
            .dns: .replaced("dns", requests: 0),
            .reset: .replaced("reset", requests: 3),
            .hang: .replaced("timeout", requests: 3),
            .slow: .saved("10 mugs", "http: unchanged"),
            .notFound: .replaced("status-404", requests: 3),
            .tooManyRequests: .replaced("status-429", requests: 3),
            .serverError: .replaced("status-500", requests: 3),
            .unavailable: .replaced("status-503", requests: 3),
            .cutOff: .replaced("truncated", requests: 3),
            .html: .replaced("malformed", requests: 3),
            // Without `validated` these are answers, and are saved.
            .empty: .saved("0 mugs", "http: fetched"),
            .shrunken: .saved("4 mugs", "http: fetched"),
            .invalid: .replaced("malformed", requests: 3),
        ])
}

extension Cell {
    fileprivate static func replaced(_ token: String, requests: Int) -> Cell {
        .always(
            .answer("10 mugs from store, 100 s old", "fallback: \(token)", "disk: hit"), requests: requests)
    }

    /// - Parameter step: what is said of the first answer; the next ones are the same as that.
    fileprivate static func saved(_ mugs: String, _ step: String) -> Cell {
        .first(
            .answer("\(mugs) from network, 0 s old", step, "caching: saving"),
            then: .answer("\(mugs) from network, 0 s old", "http: unchanged", "caching: saving"), requests: 3)
    }
}
