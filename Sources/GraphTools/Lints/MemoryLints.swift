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

/// A memory that leaves a failing upstream alone for longer than it has anything to serve.
struct LongHoldOffLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("memory").compactMap { memory in
            guard let place = memory.settings.given("hold_off")?.position,
                let pause = memory.settings.duration("hold_off"), let fresh = memory.settings.duration("ttl"),
                let stale = memory.settings.duration("stale_if_error"), pause > fresh, pause - fresh > stale
            else { return nil }
            return Diagnostic(
                .warning, at: place,
                "hold_off is longer than ttl and stale_if_error together: after a failure nothing is asked, and then "
                    + "nothing is served")
        }
    }
}

/// Pages whose number nobody tells: a page that comes too short by a mistake is taken for the last.
struct UncountedPagesLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.components.filter { $0.family == "pagination" }.compactMap { pagination in
            let counts =
                switch pagination.type {
                case "page": ["pages", "total"]
                case "offset": ["total"]
                default: [] as [String]
                }
            guard let first = counts.first, counts.allSatisfy({ pagination.settings.given($0) == nil }) else {
                return nil
            }
            let words = counts.count > 1 ? "neither \"pages\" nor \"total\"" : "no \"\(first)\""
            return Diagnostic(
                .warning, at: pagination.position,
                "with \(words), a page that is too short counts as the last, and the rest of the catalogue is lost")
        }
    }
}

/// A fallback to the provider that has just failed.
struct FutileFallbackLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("fallback").compactMap { fallback in
            let arms = fallback.providers.filter { ["primary", "secondary"].contains($0.role) }.map(\.outline)
            guard arms.count == 2, arms[0].id == arms[1].id else { return nil }
            return Diagnostic(
                .warning, at: fallback.settings.position(of: "secondary"),
                "\(arms[0].called) is \"primary\" as well, and has just failed; for another try there is \"retry\"")
        }
    }
}

/// A provider that is merged with itself: it is asked twice, and the second time all its products are there already.
struct RepeatedPartLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("merge").flatMap { merge -> [Diagnostic] in
            var seen: Set<String> = []
            return merge.providers.compactMap { part in
                guard !seen.insert(part.outline.id).inserted else { return nil }
                return Diagnostic(.warning, at: place(of: part, in: merge), message(about: part.outline))
            }
        }
    }

    private func place(of part: ComponentOutline.Child, in merge: ComponentOutline) -> SourcePosition {
        let elements = merge.settings.given("providers")?.elements ?? []
        let index = elements.indices.first { part.role == "providers[\($0)]" }
        return index.map { elements[$0].position } ?? merge.settings.position(of: "providers")
    }

    private func message(about part: ComponentOutline) -> String {
        "\(part.called) is in the list already, so all that it adds are duplicates; name it once"
    }
}
