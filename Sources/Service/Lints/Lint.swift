internal import Configuration

/// A rule about a graph as a whole: it sees what no component can see by itself.
protocol Lint: Sendable {
    /// What the rule finds wrong, in any order.
    ///
    /// Rules run whether or not a component has problems of its own. A field that cannot be read may have any text, so a
    /// rule says nothing about what it does not understand, nor about what an unreadable component lacks.
    func problems(in graph: LintedGraph) -> [Diagnostic]
}
