import FileSystem

/// Where the repository's own files are.
enum Repository {
    static let root = {
        var path = "\(#filePath)"
        for _ in 0..<4 { path = Files.parent(of: path) }
        return path
    }()

    /// The paths of the example configs.
    static let configs = ((try? Files.list("\(root)/config")) ?? []).filter {
        $0.hasSuffix(".yaml") && $0 != "compose.yaml"
    }
    .map { "\(root)/config/\($0)" }
}
