/// How something is, from good to bad. The raw values are those of `application/health+json`.
enum HealthStatus: String, Sendable, CaseIterable, Comparable {
    case pass
    /// It works, and somebody may want to know that it could be better.
    case warn
    case fail

    static func < (left: HealthStatus, right: HealthStatus) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .pass: 0
        case .warn: 1
        case .fail: 2
        }
    }
}
