/// One element of an `Accept` header: a type, or several, and how much the client likes them.
struct MediaRange: Sendable {
    /// In lower case: `text/plain`, `text/*`, `*/*`.
    let type: String
    /// The version of the type that is meant; nil for any.
    let version: String?
    /// In thousandths.
    let weight: Int

    /// - Returns: nil for what is no media range, or has a weight that is none.
    init?(_ element: Substring) {
        let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard let type = parts.first?.lowercased(), type.split(separator: "/").count == 2 else { return nil }
        let parameters = parts.dropFirst().reduce(into: [String: String]()) { parameters, part in
            let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
            if halves.count == 2 { parameters[halves[0].lowercased()] = halves[1] }
        }
        guard let weight = Self.thousandths(parameters["q"] ?? "1") else { return nil }
        self.type = type
        version = parameters["version"]
        self.weight = weight
    }

    /// How much it says about the type, compared with other ranges.
    var exactness: Int {
        if type == "*/*" { return 0 }
        return type.hasSuffix("/*") ? 1 : version == nil ? 2 : 3
    }

    /// Whether the form is of this type. Of OpenMetrics it has to be the type itself.
    func includes(_ format: MetricsFormat) -> Bool {
        switch format {
        case .text: ["text/plain", "text/*", "*/*"].contains(type) && (version ?? "0.0.4") == "0.0.4"
        case .openMetrics: type == "application/openmetrics-text" && (version ?? "1.0.0") == "1.0.0"
        }
    }

    private static func thousandths(_ text: String) -> Int? {
        guard text.utf8.count <= 5, let value = Double(text), (0...1).contains(value) else { return nil }
        return Int((value * 1000).rounded())
    }
}
