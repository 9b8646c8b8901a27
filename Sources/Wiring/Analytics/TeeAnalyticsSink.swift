internal import Analytics
internal import Configuration

extension TeeAnalyticsSink {
    static let spec = ComponentSpec<SinkFamily>(
        type: "tee",
        summary: "gives every event to several sinks",
        fields: [.required("sinks", .components(SinkFamily.self), "which get every event, each by a queue of its own")],
        example: "{ type: tee, sinks: [{ type: log }, { type: file, path: /var/lib/larder/events.jsonl }] }",
        plan: { reader in
            let plans = reader.components("sinks", SinkFamily.self)
            if plans.isEmpty { reader.report(.error, at: "sinks", "\"sinks\" is empty") }
            for name in repeated(among: plans.flatMap { ends(of: $0.outline) }) {
                reader.report(.error, at: "sinks", "\"\(name)\" would get every event more than once")
            }
            return { assembly in TeeAnalyticsSink(sinks: try plans.map { try $0.instantiate(in: assembly) }) }
        })

    /// The sinks in which an event ends up, each once: a `tee` further down reports its own repetitions.
    private static func ends(of outline: ComponentOutline) -> [ComponentOutline] {
        outline.all.filter(\.children.isEmpty)
    }

    private static func repeated(among outlines: [ComponentOutline]) -> [String] {
        var seen: Set<String> = []
        var named: Set<String> = []
        return outlines.filter { !seen.insert($0.id).inserted && named.insert($0.id).inserted }.map(\.name)
    }
}
