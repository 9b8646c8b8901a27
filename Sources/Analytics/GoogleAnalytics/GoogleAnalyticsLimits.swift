/// How much Google Analytics takes by the Measurement Protocol. What goes beyond is lost there without a word.
public enum GoogleAnalyticsLimits {
    /// How many events a request may hold.
    public static let events = 25
    /// How many bytes the body of a request may have.
    public static let bytes = 130_000
    /// How many parameters an event may have.
    public static let parameters = 25
    /// How many characters the value of a parameter may have.
    public static let value = 100
    /// How old an event may be.
    public static let age: Duration = .seconds(72 * 60 * 60)

    /// Whether a value is cut before it is sent.
    public static func isTooLong(_ text: String) -> Bool { text.utf16.count > value }

    /// The text as far as it may be sent. Characters are counted as JavaScript does, which is the strictest way there
    /// is, and none is cut in two.
    static func cut(_ text: String) -> String {
        guard isTooLong(text) else { return text }
        var left = value
        return String(
            text.prefix { character in
                left -= character.utf16.count
                return left >= 0
            })
    }
}
