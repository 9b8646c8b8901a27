/// Reads a date piece by piece. After a piece that is not what was expected it is of no more use.
struct HTTPDateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes exactly this text, if it comes next.
    mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// The place in a list of the name that comes next.
    mutating func index(among names: [String]) -> Int? {
        names.firstIndex { take($0) }
    }

    /// A number of exactly so many digits.
    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    /// `08:49:37` in seconds since midnight; a minute may have a leap second.
    mutating func timeOfDay() -> Int? {
        guard let hours = number(digits: 2), take(":"), let minutes = number(digits: 2), take(":"),
            let seconds = number(digits: 2), hours < 24, minutes < 60, seconds <= 60
        else { return nil }
        return (hours * 60 + minutes) * 60 + seconds
    }
}
