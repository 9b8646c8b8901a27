internal import FileSystem

/// The repository's own files.
public enum Repository {
    /// The folder with `Package.swift`.
    public static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The names of the configs beside `config/larder.yaml`.
    public static let configs = files(in: "config")

    /// The paths, from the root, of the configs that are shown to users.
    public static let shownConfigs = ["config", "config/examples"].flatMap { directory in
        files(in: directory).sorted().map { "\(directory)/\($0)" }
    }

    /// Compose's file lies beside the configs, where its users look for it.
    private static func files(in directory: String) -> [String] {
        ((try? Files.list("\(root)/\(directory)")) ?? []).filter { $0.hasSuffix(".yaml") && $0 != "compose.yaml" }
    }
}
