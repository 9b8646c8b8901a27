package import FoundationEssentials

/// Dates as HTTP headers spell them (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date in that form, to the second.
    package static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        guard let weekday = parts.weekday, let month = parts.month else { return "" }
        let day = "\(weekdays[weekday - 1]), \(padded(parts.day)) \(months[month - 1]) \(parts.year ?? 0)"
        return "\(day) \(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second)) GMT"
    }

    private static func padded(_ number: Int?) -> String {
        let number = number ?? 0
        return number < 10 ? "0\(number)" : "\(number)"
    }
}

extension HTTPDate {
    private static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// The date in seconds since 1970, in any of HTTP's three formats; nil for anything else.
    ///
    /// - Parameter now: a year of two digits is at most 50 years after this (RFC 9110, 5.6.7).
    package static func seconds(of text: String, now: Date) -> Int? {
        usual(text) ?? old(text, now) ?? oldest(text)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func usual(_ text: String) -> Int? {
        var reader = HTTPDateReader(text)
        guard reader.index(among: weekdays) != nil, reader.skip(", "), let day = reader.number(digits: 2),
            reader.skip(" "), let month = reader.index(among: months), reader.skip(" "),
            let year = reader.number(digits: 4), reader.skip(" "), let time = reader.timeOfDay(), reader.skip(" GMT"),
            reader.isAtEnd
        else { return nil }
        return seconds(year: year, month: month + 1, day: day, time: time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850)
    private static func old(_ text: String, _ now: Date) -> Int? {
        var reader = HTTPDateReader(text)
        guard reader.index(among: longWeekdays) != nil, reader.skip(", "), let day = reader.number(digits: 2),
            reader.skip("-"), let month = reader.index(among: months), reader.skip("-"),
            let short = reader.number(digits: 2), reader.skip(" "), let time = reader.timeOfDay(), reader.skip(" GMT"),
            reader.isAtEnd
        else { return nil }
        let limit = year(of: now) + 50
        let year = limit - (limit - short) % 100
        return seconds(year: year, month: month + 1, day: day, time: time)
    }

    /// `Sun Nov  6 08:49:37 1994` (C's `asctime`)
    private static func oldest(_ text: String) -> Int? {
        var reader = HTTPDateReader(text)
        guard reader.index(among: weekdays) != nil, reader.skip(" "), let month = reader.index(among: months),
            reader.skip(" "), let day = reader.skip(" ") ? reader.number(digits: 1) : reader.number(digits: 2),
            reader.skip(" "), let time = reader.timeOfDay(), reader.skip(" "), let year = reader.number(digits: 4),
            reader.isAtEnd
        else { return nil }
        return seconds(year: year, month: month + 1, day: day, time: time)
    }

    private static func seconds(year: Int, month: Int, day: Int, time: Int) -> Int? {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        let before = year - 1
        let days =
            before * 365 + before / 4 - before / 100 + before / 400 + lengths.prefix(month - 1).reduce(day - 1, +)
        return (days - daysBefore1970) * 86_400 + time
    }

    private static let daysBefore1970 = 719_162

    private static func year(of date: Date) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.component(.year, from: date)
    }
}

/// Parses a date piece by piece. After an unexpected piece it must not be used further.
struct HTTPDateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes exactly this text, if it comes next.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// The index in a list of the name that comes next.
    mutating func index(among names: [String]) -> Int? {
        names.firstIndex { skip($0) }
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
        guard let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2), skip(":"),
            let seconds = number(digits: 2), hours < 24, minutes < 60, seconds <= 60
        else { return nil }
        return (hours * 60 + minutes) * 60 + seconds
    }
}
