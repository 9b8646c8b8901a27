internal import Configuration

extension ComponentOutline {
    /// The providers that it asks.
    var providers: [Child] { children.filter { $0.outline.family == "provider" } }

    /// Whether this is a provider of a type.
    func isProvider(_ type: String) -> Bool { family == "provider" && self.type == type }

    /// The sinks that its events get to, through others as well; each once.
    var sinks: [ComponentOutline] {
        children.filter { $0.outline.family == "sink" }.flatMap(\.outline.all)
    }

    /// Every provider below it that can be reached without passing one of these types; each once.
    func providersBelow(stoppingAt types: Set<String>) -> [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        var open = providers
        while let next = open.popLast()?.outline {
            guard seen.insert(next.id).inserted else { continue }
            found.append(next)
            if !types.contains(next.type) { open += next.providers }
        }
        return found
    }

    /// How messages about another place call it: `memory "storefront"`, or `the memory at line 12`.
    var called: String {
        if let label { return "\(type) \"\(label)\"" }
        return position.line == 0 ? "the \(type)" : "the \(type) at line \(position.line)"
    }
}
