public import Configuration

/// How requests prove to an upstream who asks.
public protocol Authentication: Sendable {
    /// The headers that do it, all of them sensitive. Asked for before every request, since what they hold may have
    /// been replaced since the last.
    func headers() async -> [HTTPHeader]
    /// What no text may hold, because whoever reads it could ask as we do: the secrets, and what headers make of them.
    /// Also those sent last, since the upstream may quote what it was sent.
    var secrets: [Secret] { get }
}
