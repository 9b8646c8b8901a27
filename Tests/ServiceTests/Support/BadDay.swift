import Testing

/// A way for the upstream to fail, and what becomes visible of it.
struct BadDay: Sendable, CustomTestStringConvertible {
    let mode: String
    /// What the answer that waited for the failing refresh says of it.
    let status: Int?

    var testDescription: String { mode }

    /// Whether it takes a timeout to notice.
    var isSlow: Bool { ["hang", "slow"].contains(mode) }

    /// A kept connection that breaks may have been closed before the request came, so libcurl asks once more on a new
    /// one.
    var repeatsOfTheFirstTry: Int { ["down", "reset"].contains(mode) ? 1 : 0 }

    static let quick = all.filter { !$0.isSlow }

    static let all =
        ["down", "reset", "hang", "slow", "truncate", "html", "empty", "shrink"].map { BadDay(mode: $0, status: nil) }
        + ([404, 429, 500, 503] as [Int]).map { BadDay(mode: "status=\($0)", status: $0) }

    var cacheStatus: String {
        "larder; fwd=stale" + (status.map { "; fwd-status=\($0)" } ?? "") + "; detail=stale-if-error"
    }
}
