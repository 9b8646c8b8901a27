internal import FoundationEssentials
internal import Health
package import JSON
internal import OpenAPI
internal import Serving

/// The result of a probe.
struct HealthReport: Sendable {
    /// The probe's name: `readyz`.
    let name: String
    let time: Date
    let checks: [HealthCheck]
    /// Names to leave out that are not checks.
    let unknown: [String]

    /// - Parameters:
    ///   - excluded: the names of the checks to leave out; names may be repeated.
    ///   - isForClients: whether the report omits details for operators.
    init(
        _ name: String, at time: Date, _ checks: [HealthCheck], excluding excluded: [String] = [],
        isForClients: Bool = false
    ) {
        self.name = name
        self.time = time
        self.checks = checks.map { check in
            var check = isForClients ? check.forClients : check
            check.isExcluded = excluded.contains(check.name)
            return check
        }
        unknown = Set(excluded).subtracting(checks.map(\.name)).sorted()
    }

    /// The worst status of a check.
    var status: HealthStatus { checks.map(\.status).max() ?? .pass }

    /// The report as `application/health+json` (draft-inadarei-api-health-check-06).
    var json: JSONObject {
        var json: JSONObject = [
            "status": .string("\(status)"), "version": .string(LarderVersion.current), "serviceId": "larder",
            "description": "a product catalogue that is served also while its source is offline",
        ]
        let outputs = checks.filter { !$0.isExcluded }.flatMap(\.aspects).compactMap(\.output)
        if status != .pass, !outputs.isEmpty { json["output"] = .string(outputs.joined(separator: "; ")) }
        let notes = unknown.map { JSONValue.string("no such check to exclude: \($0)") }
        if !notes.isEmpty { json["notes"] = .array(notes) }
        var found = JSONObject()
        for check in checks where !check.isExcluded {
            for aspect in check.aspects {
                found[aspect.name] = .array((found[aspect.name]?.array ?? []) + [.object(aspect.json(at: time))])
            }
        }
        json["checks"] = .object(found)
        return json
    }

    /// `ok`, or the last failure.
    var text: String {
        let complaint = checks.last { $0.status == .fail }?.complaint
        return "\(complaint ?? "ok")\n"
    }

    /// A line for each check and one for all, in the form of the Kubernetes API server.
    var verboseText: String {
        var lines = checks.map(\.line)
        if !unknown.isEmpty {
            let names = unknown.map(Self.quoted).joined(separator: ",")
            lines.append("warn: some health checks cannot be excluded: no matches for \(names)")
        }
        lines.append("\(name) check \(status == .fail ? "failed" : "passed")")
        return lines.map { "\($0)\n" }.joined()
    }

    /// Quotes a name from a client, on one line.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).encoded(), as: UTF8.self)
    }
}

extension HealthCheck {
    fileprivate var line: String {
        if isExcluded { return "[+]\(name) excluded: ok" }
        if let failure { return "[-]\(name) failed: \(failure)" }
        return "[+]\(name) \(status == .warn ? "warn" : "ok")\(facts.map { ": \($0)" } ?? "")"
    }
}

extension Trouble.Kind {
    /// Whether it concerns the source of catalogues.
    var isOfUpstream: Bool {
        switch self {
        case .upstream, .monitor, .breaker, .source: true
        case .quarantine, .store, .sharedStore, .analytics, .telemetry, .reload, .certificate, .keys, .clock, .index:
            false
        }
    }
}

extension HealthCheck.Aspect {
    fileprivate func json(at time: Date) -> JSONObject {
        var json: JSONObject = ["status": .string("\(status)")]
        json["observedValue"] = value
        json["observedUnit"] = unit.map { .string($0) }
        json["time"] = .string(time.formatted(.iso8601))
        json["output"] = output.map { .string($0) }
        return json
    }
}

/// The schema of `HealthReport`.
package enum HealthSchema {
    package static let name = "Health"
    private static let status = Schema.choice(of: HealthStatus.allCases.map { "\($0)" })

    package static let schema = Schema.object(
        [
            .always("status", status, "the worst status of a check; `warn` while refreshes fail or are overdue"),
            .always("version", Schema.text, "the version of the program"),
            .always("serviceId", Schema.text, "the name of the program"),
            .always("description", Schema.text, "the purpose of the program"),
            .sometimes("output", Schema.filledText, "the problem"),
            .sometimes("notes", Schema.list(of: Schema.text), "remarks about the request"),
            .always("checks", Schema.map(of: Schema.list(of: aspect)), "the checks, by name"),
        ], "The health of the service (draft-inadarei-api-health-check).")

    private static let aspect = Schema.object([
        .always("status", status, "the status of the check"),
        .sometimes("observedValue", Schema.number, "the measured value"),
        .sometimes("observedUnit", Schema.text, "in what"),
        .always("time", Schema.time, "when"),
        .sometimes("output", Schema.filledText, "the problem of the check"),
    ])
}
