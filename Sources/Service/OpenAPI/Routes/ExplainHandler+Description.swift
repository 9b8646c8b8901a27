internal import JSON

extension ExplainHandler {
    /// What the route does.
    var description: RouteDescription {
        let explain = ParameterDescription(
            name: Self.parameter, place: .query, meaning: "Asks for the explanation: there is nothing else here.",
            schema: Schema.choice(of: Choice.allCases.map(\.rawValue)), example: .string(Choice.yes.rawValue),
            isRequired: true)
        return RouteDescription(
            id: "explainProducts", summary: "How the graph answers a request for products",
            details: "The graph is asked as a client of the other port would, but no event is logged of it.",
            parameters: [explain] + consulted.decidingParameters,
            answers: [
                AnswerDescription(
                    status: 200, meaning: "What happened, also where the graph failed.", fields: [.cacheControl],
                    contents: [.init(mediaType: "application/json", schema: Schema.named(GraphSchemas.explanation))]),
                .problem(400, "`explain=1` is missing, or there is another query parameter."),
            ], waits: true)
    }
}
