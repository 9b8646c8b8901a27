import FileSystem

/// Where the repository's own files are.
enum Repository {
    static let root = {
        var path = "\(#filePath)"
        for _ in 0..<4 { path = Files.parent(of: path) }
        return path
    }()

    /// The example configs, by name.
    static let configs = ((try? Files.list("\(root)/config")) ?? []).filter(isConfig)

    /// Every config file that is shown to users, by its path from the root.
    static let shownConfigs = ["config", "config/examples"].flatMap { directory in
        ((try? Files.list("\(root)/\(directory)")) ?? []).filter(isConfig).sorted().map { "\(directory)/\($0)" }
    }

    /// Compose's file lies beside the configs, where its users look for it.
    private static func isConfig(_ name: String) -> Bool {
        name.hasSuffix(".yaml") && name != "compose.yaml"
    }
}
