/// What a client got for its input.
struct Answers: Sendable {
    var responses: [RawResponse]
    var isClosed: Bool

    /// Reads as many answers as are expected and then asks once more, to find out whether the connection goes on.
    init(_ client: RawClient, to expected: GuardCase) throws {
        let isHead = expected.input.starts(with: "HEAD ".utf8)
        responses = try expected.statuses.map { _ in try client.receive(bodyless: isHead) }
        if expected.closes {
            isClosed = try client.isClosedByServer()
        } else {
            isClosed = try client.get("/probe").status != 200
        }
    }
}
