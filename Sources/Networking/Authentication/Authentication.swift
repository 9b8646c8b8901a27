/// How requests prove to an upstream who asks.
public protocol Authentication: Sendable {
    /// The headers that do it, all of them sensitive. Asked for before every request, since what they hold may have
    /// been replaced since the last.
    func headers() async -> [HTTPHeader]
}
