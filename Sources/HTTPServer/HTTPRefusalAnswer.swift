internal import CEventShim

/// What a client gets whose request is refused before any handler sees it: the same for every such request.
public struct HTTPRefusalAnswer: Sendable, Hashable {
    /// Of the status line.
    public let statusCode: Int
    /// The names of its own fields, in their order.
    public let fieldNames: [String]
    /// The body, `application/problem+json`.
    public let body: String

    /// The answer for a reason; nil where the connection ends without one.
    public init?(_ refusal: HTTPRefusal) {
        guard let index = HTTPRefusal.allCases.firstIndex(of: refusal) else { return nil }
        let answer = unsafe larder_refusal_answer_of(larder_refusal(rawValue: UInt32(index)))
        guard unsafe answer.status != 0, let fields = unsafe answer.fields, let body = unsafe answer.body else {
            return nil
        }
        unsafe statusCode = Int(answer.status)
        unsafe fieldNames = String(cString: fields).split(separator: "\r\n").map { line in
            String(line.prefix { $0 != ":" })
        }
        unsafe self.body = String(cString: body)
    }
}
