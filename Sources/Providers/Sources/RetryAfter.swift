internal import Networking

/// The `Retry-After` header in its form as a number of seconds; the form as a date is ignored.
enum RetryAfter {
    /// In seconds: nobody means more than a day, and arithmetic on more could overflow.
    private static let longest = 86_400

    /// `nil` when there is none, or none that can be read.
    static func seconds(in response: HTTPClientResponse) -> Duration? {
        guard let text = response.headers["Retry-After"], let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, longest))
    }
}
