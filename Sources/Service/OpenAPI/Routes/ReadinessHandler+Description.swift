extension ReadinessHandler {
    /// What the route does.
    var description: RouteDescription {
        RouteDescription(
            id: name, summary: "Whether there is a catalogue to serve, upstream up or down",
            parameters: Self.probeParameters(excluding: "drain"),
            answers: [
                Self.probed(200, "There is."),
                Self.probed(503, "There is none, or the service is stopping."),
                Self.malformedProbe,
            ])
    }
}
