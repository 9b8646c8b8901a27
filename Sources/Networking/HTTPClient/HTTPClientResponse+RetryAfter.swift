extension HTTPClientResponse {
    /// In seconds: nobody means more than a day, and arithmetic on more could overflow.
    private static let longestWait = 86_400

    /// The `Retry-After` header in its form as a number of seconds; the form as a date is ignored. Nil when there is
    /// none, or none that can be read.
    public var retryAfter: Duration? {
        guard let text = headers["Retry-After"], let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, Self.longestWait))
    }
}
