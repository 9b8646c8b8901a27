import FileSystem
import TestSupport
import Testing

extension FaultColumn {
    /// Each request is one to the upstream, whose outcome is the answer.
    static let bare = FaultColumn(
        name: "no decorator",
        yaml: { "serve: \($0.http)" },
        cells: cells(requests: 3) { .always(.failure($0), requests: $1) })

    /// Faults that another try may mend are tried once more, permanent ones are not.
    static let retry = FaultColumn(
        name: "retry",
        yaml: { "serve: { type: retry, attempts: 2, base: 1ms, cap: 1ms, budget: 1, upstream: \($0.http) }" },
        cells: cells(requests: 6, permanent: { .always(.failure($0), requests: 3) }) {
            .always(.failure($0), requests: $1)
        })

    /// After two transient faults in a row the upstream is not asked any more. Permanent ones trip nothing.
    static let breaker = FaultColumn(
        name: "circuit_breaker",
        yaml: { "serve: { type: circuit_breaker, failures: 2, open_for: 1h, upstream: \($0.http) }" },
        cells: cells(requests: 2, permanent: { .always(.failure($0), requests: 3) }) {
            Cell([.failure($0), .failure($0), .failure("circuit-open")], requests: $1)
        })

    /// A late answer is none; all else passes.
    static let timeout = FaultColumn(
        name: "timeout",
        isImpatient: true,
        yaml: { "serve: { type: timeout, after: \($0.deadline), upstream: \($0.http) }" },
        cells: cells(requests: 3) { .always(.failure($0), requests: $1) }
            .merging([.slow: .always(.failure("timeout"), requests: 3)]) { $1 })

    /// The catalogue saved on a good day stands in, but every request asks the upstream first.
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
        cells: cells(
            requests: 3,
            fetched: { mugs, step in
                .first(
                    .answer("\(mugs) from network, 0 s old", step, "caching: saving"),
                    then: .answer("\(mugs) from network, 0 s old", "http: unchanged", "caching: saving"), requests: 3)
            }
        ) { token, requests in
            .always(.answer("10 mugs from store, 100 s old", "fallback: \(token)", "disk: hit"), requests: requests)
        })

    /// The last good answer is kept, and a failing upstream is asked once and then left alone. The request that caused
    /// the refresh is told why its answer is old, later ones are not.
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
        cells: cells(
            requests: 1,
            fetched: { mugs, step in
                .first(
                    .answer("\(mugs) from network, 0 s old", step, "memory: stale"),
                    then: .answer("\(mugs) from network, 0 s old", "memory: hit"), requests: 1)
            }
        ) { token, requests in
            .first(
                .answer("10 mugs from network, 100 s old", "memory: \(token)", "memory: stale"),
                then: .answer("10 mugs from network, 100 s old", "memory: stale"), requests: requests)
        })

    /// The graph of `config/larder.yaml`, whose monitor knows of the upstream only what real requests tell it. The
    /// store is asked for a substitute once, has nothing newer than memory, and is then spared like the upstream.
    static let defaultGraph: FaultColumn = {
        let stored: @Sendable (String, Int) -> Cell = { token, requests in
            .first(
                .answer("10 mugs from network, 100 s old", "fallback: \(token)", "disk: hit", "storefront: stale"),
                then: .answer("10 mugs from network, 100 s old", "storefront: stale"), requests: requests)
        }
        return FaultColumn(
            name: "the default graph",
            keepsAnswers: true,
            yaml: { parts in
                // As in the file but for the times that pass for real, which a busy machine must not meet by chance.
                let text = String(decoding: try Files.read("\(Repository.root)/config/larder.yaml"), as: UTF8.self)
                let times = ["hold_off: 1h", "max_wait: 20s", "timeout: \(parts.patience)", "connect_timeout: 20s"]
                return try replacing("ttl: 30s", by: (["ttl: 30s"] + times).joined(separator: "\n  "), in: text)
            },
            cells: cells(
                requests: 1,
                fetched: { mugs, step in
                    .first(
                        .answer("\(mugs) from network, 0 s old", step, "remote: saving", "storefront: stale"),
                        then: .answer("\(mugs) from network, 0 s old", "storefront: hit"), requests: 1)
                }, failing: stored
            ).merging([.empty: stored("empty", 1), .shrunken: stored("shrunken", 1)]) { $1 })
    }()

    /// The rows of a column in which faults of a kind look alike.
    ///
    /// - Parameters:
    ///   - requests: how many the upstream sees of a fault that it takes part in.
    ///   - fetched: the cell of an answer, by the catalogue and the first step of its trail. Without `validated` an
    ///     empty or shrunken catalogue is an answer like others.
    ///   - permanent: the cell of a fault that another try does not mend, by its token; like other faults by default.
    ///   - failing: the cell of a fault, by its token and the number of requests.
    private static func cells(
        requests: Int, fetched: (String, String) -> Cell = Cell.fetched, permanent: ((String) -> Cell)? = nil,
        failing: @escaping (String, Int) -> Cell
    ) -> [Fault: Cell] {
        let permanent = permanent ?? { failing($0, requests) }
        return [
            .refused: failing("refused", 0),
            .dns: failing("dns", 0),
            .reset: failing("reset", requests),
            .hang: failing("timeout", requests),
            .slow: fetched("10 mugs", "http: unchanged"),
            .notFound: permanent("status-404"),
            .tooManyRequests: failing("status-429", requests),
            .serverError: failing("status-500", requests),
            .unavailable: failing("status-503", requests),
            .cutOff: failing("truncated", requests),
            .html: permanent("malformed"),
            .empty: fetched("0 mugs", "http: fetched"),
            .shrunken: fetched("4 mugs", "http: fetched"),
            .invalid: permanent("malformed"),
        ]
    }

    private static func replacing(_ part: String, by other: String, in text: String) throws -> String {
        let pieces = text.split(separator: part, omittingEmptySubsequences: false)
        try #require(pieces.count == 2, "\"\(part)\" is in the file once")
        return pieces.joined(separator: other)
    }
}

extension Cell {
    /// The upstream's answer passes as it is, and is known to be unchanged from the second request on.
    fileprivate static func fetched(_ mugs: String, _: String) -> Cell {
        .first(
            .answer("\(mugs) from network, 0 s old", "http: fetched"),
            then: .answer("\(mugs) from network, 0 s old", "http: unchanged"), requests: 3)
    }
}
