internal import HTTPServer

/// In what form a probe is answered.
enum HealthForm: Sendable {
    case text
    case json

    /// The form that a client likes best, by its `Accept` (RFC 9110, 12.5.1). JSON is for who names it, or its kind,
    /// and likes it at least as much as text; who accepts neither gets text.
    ///
    /// - Parameter header: the value of `Accept`; nil without one.
    static func best(_ header: String?) -> HealthForm {
        let ranges = (header ?? "").split(separator: ",").compactMap(MediaRange.init)
        let json = weight(in: ranges, of: ["application/health+json", "application/*"])
        return json > 0 && json >= weight(in: ranges, of: ["text/plain", "text/*", "*/*"]) ? .json : .text
    }

    /// The fields of every answer in this form.
    var headers: HTTPHeaderBlock {
        switch self {
        case .text:
            [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept",
                "X-Content-Type-Options": "nosniff",
            ]
        case .json: ["Content-Type": "application/health+json", "Cache-Control": "no-store", "Vary": "Accept"]
        }
    }

    /// What the most exact of the ranges that are of these types gives, in thousandths.
    private static func weight(in ranges: [MediaRange], of types: [String]) -> Int {
        ranges.filter { types.contains($0.type) }.max { $0.exactness < $1.exactness }?.weight ?? 0
    }
}
