extension MetricsHandler {
    /// What the route does.
    static let description = RouteDescription(
        id: "metrics", summary: "What was counted and measured, for Prometheus",
        details: "In the form of OpenMetrics for who accepts it at least as gladly as the older one.",
        answers: [
            AnswerDescription(
                status: 200, meaning: "All metrics.", fields: [.cacheControl, .vary],
                contents: [
                    .init(mediaType: "text/plain", schema: Schema.text),
                    .init(mediaType: "application/openmetrics-text", schema: Schema.text),
                ]),
            .problem(400, "There is a query."),
        ])
}
