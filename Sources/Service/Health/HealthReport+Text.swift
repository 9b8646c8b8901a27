internal import JSON

extension HealthReport {
    /// A word that all is well, or what is not.
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

    /// On one line, whatever a client calls a check.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).encoded(), as: UTF8.self)
    }
}

extension HealthCheck {
    fileprivate var line: String {
        if isExcluded { return "[+]\(name) excluded: ok" }
        if let failure { return "[-]\(name) failed: \(failure)" }
        return "[+]\(name) ok\(facts.map { ": \($0)" } ?? "")"
    }
}
