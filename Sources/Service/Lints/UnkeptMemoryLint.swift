internal import Configuration

/// A memory that promises its catalogue for long although nothing that is served outlives the process.
struct UnkeptMemoryLint: Lint {
    /// Whoever restarts within this time may well find the upstream as it was.
    private static let bearable: Duration = .seconds(3600)

    func problems(in graph: LintedGraph) -> [Diagnostic] {
        guard !graph.components.contains(where: Self.isKept) else { return [] }
        return graph.providers("memory").compactMap { memory in
            guard let promise = memory.settings.duration("stale_if_error"), promise > Self.bearable,
                !memory.providers.isEmpty
            else { return nil }
            return Diagnostic(
                .warning, at: memory.settings.position(of: "stale_if_error"),
                "stale_if_error is \(DurationText.format(promise)), but nothing that is served outlives a restart; save it "
                    + "by \"caching\" and serve it by \"stored\", or make it 1h at most")
        }
    }

    /// What has a catalogue after a restart, wherever it stands; a store that is only written serves none. What cannot
    /// be read may be such a thing.
    private static func isKept(_ outline: ComponentOutline) -> Bool {
        outline.isProvider("stored") || outline.isProvider("file") || outline.isUnreadable
    }
}
