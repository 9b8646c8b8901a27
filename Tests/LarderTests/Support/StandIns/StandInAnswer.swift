/// What a stand-in answers.
struct StandInAnswer: Sendable {
    var status = "200 OK"
    var headers: [(name: String, value: String)] = []
    /// JSON.
    var body: String
    /// Which page of the catalogue this is, from 1; nil for an answer that is none.
    var page: Int?

    /// An answer that is not a page of the catalogue.
    static func refused(_ status: String, _ body: String) -> StandInAnswer {
        StandInAnswer(status: status, body: body)
    }

    /// The header lines, as they are sent.
    var headerLines: String {
        let all = [(name: "Content-Type", value: "application/json; charset=utf-8")] + headers
        return all.map { "\($0.name): \($0.value)\r\n" }.joined()
    }
}
