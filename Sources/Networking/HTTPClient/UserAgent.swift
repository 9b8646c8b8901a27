/// What Larder calls itself to upstreams.
public struct UserAgent: Sendable, Hashable {
    /// As sent: `larder/<version>`.
    public let text: String

    /// The name with a version of Larder.
    public init(version: String) {
        text = "larder/\(version)"
    }
}
