import FileSystem
import TestSupport
import Testing

extension FaultColumn {
    /// The graph of `config/larder.yaml`, whose monitor knows of the upstream only what real requests tell it.
    static let defaultGraph = FaultColumn(
        name: "the default graph",
        keepsAnswers: true,
        yaml: { parts in
            // As in the file but for the times that pass for real, which a busy machine must not meet by chance.
            let text = String(decoding: try Files.read("\(Repository.root)/config/larder.yaml"), as: UTF8.self)
            let hurried = try replacing(
                "path: /products }",
                by: "path: /products }\n          timeout: \(parts.patience)\n          connect_timeout: 20s", in: text)
            return try replacing("ttl: 30s", by: "ttl: 30s\n    hold_off: 1h\n    max_wait: 20s", in: hurried)
        },
        cells: [
            .refused: .stored("refused", requests: 0),
            .dns: .stored("dns", requests: 0),
            .reset: .stored("reset", requests: 1),
            .hang: .stored("timeout", requests: 1),
            .slow: .first(
                .answer("10 mugs from network, 0 s old", "http: unchanged", "remote: saving", "storefront: stale"),
                then: .answer("10 mugs from network, 0 s old", "storefront: hit"), requests: 1),
            .notFound: .stored("status-404", requests: 1),
            .tooManyRequests: .stored("status-429", requests: 1),
            .serverError: .stored("status-500", requests: 1),
            .unavailable: .stored("status-503", requests: 1),
            .cutOff: .stored("truncated", requests: 1),
            .html: .stored("malformed", requests: 1),
            .empty: .stored("empty", requests: 1),
            .shrunken: .stored("shrunken", requests: 1),
            .invalid: .stored("malformed", requests: 1),
        ])

    private static func replacing(_ part: String, by other: String, in text: String) throws -> String {
        let pieces = text.split(separator: part, omittingEmptySubsequences: false)
        try #require(pieces.count == 2, "\"\(part)\" is in the file once")
        return pieces.joined(separator: other)
    }
}

extension Cell {
    /// The store is asked for a substitute, finds no other than what is in memory, and both are spared from then on.
    fileprivate static func stored(_ token: String, requests: Int) -> Cell {
        .first(
            .answer("10 mugs from network, 100 s old", "fallback: \(token)", "disk: hit", "storefront: stale"),
            then: .answer("10 mugs from network, 100 s old", "storefront: stale"), requests: requests)
    }
}
