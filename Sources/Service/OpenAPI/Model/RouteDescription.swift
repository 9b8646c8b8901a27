/// What a route does, for those who call it.
struct RouteDescription: Sendable {
    /// The name of the operation; clients made from the document call their function so.
    let id: String
    /// What it does, in a line.
    let summary: String
    /// More about it.
    var details: String?
    var parameters: [ParameterDescription] = []
    /// What the route itself answers, the same status as often as there are reasons for it. What is refused before the
    /// route hears of it is not here.
    var answers: [AnswerDescription]
    /// Whether it may have to wait for somebody else, and so for too long.
    var waits = false
}
