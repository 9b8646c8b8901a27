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

    /// The paths, from the root, of the documentation's pages.
    public static let pages = {
        let directory = "Sources/larder/Larder.docc"
        let names = (try? Files.list("\(root)/\(directory)")) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(directory)/\($0)" }
    }()

    /// Returns a file's text.
    public static func text(_ path: String) throws -> String {
        String(decoding: try Files.read("\(root)/\(path)"), as: UTF8.self)
    }

    /// Compose's file lies beside the configs, where its users look for it.
    private static func files(in directory: String) -> [String] {
        ((try? Files.list("\(root)/\(directory)")) ?? []).filter { $0.hasSuffix(".yaml") && $0 != "compose.yaml" }
    }
}
