/// This program's version.
public enum LarderVersion {
    /// By semantic versioning.
    public static let current = "0.1.0"
}
