internal import FoundationEssentials

/// What a probe has found out.
struct HealthReport: Sendable {
    /// The probe's own name: `readyz`.
    let name: String
    let time: Date
    let checks: [HealthCheck]
    /// What was to be left out, and is no check.
    let unknown: [String]

    /// - Parameter excluded: the names of the checks to leave out, each as often as the client likes.
    init(_ name: String, at time: Date, _ checks: [HealthCheck], excluding excluded: [String] = []) {
        self.name = name
        self.time = time
        self.checks = checks.map { check in
            var check = check
            check.isExcluded = excluded.contains(check.name)
            return check
        }
        unknown = Set(excluded).subtracting(checks.map(\.name)).sorted()
    }

    /// The worst status of a check.
    var status: HealthStatus { checks.map(\.status).max() ?? .pass }
}
