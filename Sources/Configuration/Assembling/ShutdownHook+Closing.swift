extension Sequence<ShutdownHook> {
    /// Runs the hooks: those of components before those of what they are built on. What stands side by side is closed
    /// at the same time, so that many who take their time take no more of it than the slowest. The hooks of one
    /// component run one after the other, as they come.
    public func close() async {
        let levels = Dictionary(grouping: self, by: \.height).sorted { $0.key > $1.key }
        for (_, level) in levels {
            await withTaskGroup(of: Void.self) { group in
                for hooks in Dictionary(grouping: level, by: \.owner).values {
                    group.addTask { for hook in hooks { await hook.close() } }
                }
            }
        }
    }
}
