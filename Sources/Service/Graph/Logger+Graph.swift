internal import Configuration
internal import Logging

extension Logger {
    /// Logs the graph that takes over, as the tree that `larder graph` prints.
    func noteGraph(_ root: ComponentOutline) {
        info("graph", metadata: ["tree": "\(GraphText(root).text)"])
    }
}
