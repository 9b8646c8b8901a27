/// A status code with its reason phrase. Two of the same code are equal whatever their phrases.
public struct HTTPStatus: Sendable, Hashable, CustomStringConvertible {
    /// Between 200 and 599: what comes before the final answer is the server's business.
    public let code: Int
    let phrase: StaticString

    /// A status; a code outside 200…599 is a mistake of the program and stops it.
    public init(code: Int, reason: StaticString) {
        precondition((200...599).contains(code), "not a final status: \(code)")
        self.code = code
        phrase = reason
    }

    /// The phrase that goes on the status line.
    public var reason: String { phrase.description }

    /// As on the status line.
    public var description: String { "\(code) \(phrase)" }

    /// Compares the codes only.
    public static func == (left: HTTPStatus, right: HTTPStatus) -> Bool { left.code == right.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
