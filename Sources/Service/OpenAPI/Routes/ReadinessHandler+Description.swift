internal import JSON

extension ReadinessHandler {
    /// What the route does.
    var description: RouteDescription {
        let verbose = ParameterDescription(
            name: "verbose", place: .query, meaning: "Lists the checks, whatever its value.", schema: Schema.text,
            example: "", isEmptyAllowed: true)
        return RouteDescription(
            id: name, summary: "Whether there is a catalogue to serve, upstream up or down", parameters: [verbose],
            answers: [
                Self.probed(200, "There is."),
                Self.probed(503, "There is none, or the service is stopping."),
                .problem(400, "The query is not properly percent-encoded."),
            ])
    }
}
