internal import JSON

/// The schema of `HealthReport`.
enum HealthSchema {
    static let name = "Health"
    private static let status = Schema.choice(of: HealthStatus.allCases.map(\.rawValue))

    static let schema = Schema.object(
        [
            .always("status", status, "the worst that was found; `warn` while refreshes fail or are overdue"),
            .always("version", Schema.text, "the version of the program"),
            .always("serviceId", Schema.text, "the name of the program"),
            .always("description", Schema.text, "what it is there for"),
            .sometimes("output", Schema.filledText, "what is wrong"),
            .sometimes("notes", Schema.list(of: Schema.text), "what was odd about the request"),
            .always("checks", Schema.map(of: Schema.list(of: aspect)), "what was looked at, by names"),
        ], "How the service is (draft-inadarei-api-health-check).")

    private static let aspect = Schema.object([
        .always("status", status, "how it is"),
        .sometimes("observedValue", Schema.number, "what was measured"),
        .sometimes("observedUnit", Schema.text, "in what"),
        .always("time", GraphSchemas.time, "when"),
        .sometimes("output", Schema.filledText, "what is wrong with it"),
    ])
}
