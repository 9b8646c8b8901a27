internal import Configuration

extension GraphFormat {
    /// The graph below a component in this notation, whose last line has its end.
    func render(_ root: ComponentOutline) -> String {
        switch self {
        case .text: GraphText(root).text
        case .mermaid: GraphMermaid(root).text
        case .dot: GraphDot(root).text
        }
    }
}
