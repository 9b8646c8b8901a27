extension FaultColumn {
    /// The last good answer is kept, and a failing upstream is asked once and then left alone.
    static let memory = FaultColumn(
        name: "memory",
        keepsAnswers: true,
        yaml: { parts in
            """
            serve:
              { type: memory, ttl: 30s, stale_while_revalidate: 60s, hold_off: 1h, max_wait: 20s, \
            upstream: \(parts.http) }
            """
        },
        cells: [
            .refused: .remembered("refused", requests: 0),
            .dns: .remembered("dns", requests: 0),
            .reset: .remembered("reset", requests: 1),
            .hang: .remembered("timeout", requests: 1),
            .slow: .refreshed("10 mugs", "http: unchanged"),
            .notFound: .remembered("status-404", requests: 1),
            .tooManyRequests: .remembered("status-429", requests: 1),
            .serverError: .remembered("status-500", requests: 1),
            .unavailable: .remembered("status-503", requests: 1),
            .cutOff: .remembered("truncated", requests: 1),
            .html: .remembered("malformed", requests: 1),
            // Without `validated` these replace what was there.
            .empty: .refreshed("0 mugs", "http: fetched"),
            .shrunken: .refreshed("4 mugs", "http: fetched"),
            .invalid: .remembered("malformed", requests: 1),
        ])
}

extension Cell {
    /// Who caused the refresh is told why its answer is old; who comes later need not know.
    fileprivate static func remembered(_ token: String, requests: Int) -> Cell {
        .first(
            .answer("10 mugs from network, 100 s old", "memory: \(token)", "memory: stale"),
            then: .answer("10 mugs from network, 100 s old", "memory: stale"), requests: requests)
    }

    fileprivate static func refreshed(_ mugs: String, _ step: String) -> Cell {
        .first(
            .answer("\(mugs) from network, 0 s old", step, "memory: stale"),
            then: .answer("\(mugs) from network, 0 s old", "memory: hit"), requests: 1)
    }
}
