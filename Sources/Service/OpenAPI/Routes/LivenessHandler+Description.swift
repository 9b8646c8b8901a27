extension LivenessHandler {
    /// What the route does.
    static let description = RouteDescription(
        id: "livez", summary: "Whether the process works", parameters: probeParameters(excluding: "loop"),
        answers: [probed(200, "It does."), malformedProbe])
}
