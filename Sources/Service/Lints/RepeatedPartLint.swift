internal import Configuration

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
