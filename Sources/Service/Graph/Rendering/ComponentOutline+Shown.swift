internal import Configuration

extension ComponentOutline {
    /// What the config says that the component is built on. What stands there by default, such as `pagination: single`,
    /// would hide the rest.
    var shownChildren: [Child] {
        children.filter { child in
            let field = child.role.prefix { $0 != "." && $0 != "[" }
            return settings.given(String(field)) != nil
        }
    }

    /// The component and all that is shown below it, itself first; each once.
    var shown: [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        var open = [self]
        while let next = open.popLast() {
            guard seen.insert(next.id).inserted else { continue }
            found.append(next)
            open += next.shownChildren.reversed().map(\.outline)
        }
        return found
    }
}
