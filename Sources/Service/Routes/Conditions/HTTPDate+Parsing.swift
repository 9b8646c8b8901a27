internal import FoundationEssentials

extension HTTPDate {
    private static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// The date in seconds since 1970, in any of the three forms that HTTP has had; nil when it is none of them.
    ///
    /// - Parameter now: a year of two digits is taken to be at most 50 years after this (RFC 9110, 5.6.7).
    static func seconds(of text: String, now: Date) -> Int? {
        usual(text) ?? old(text, now) ?? oldest(text)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func usual(_ text: String) -> Int? {
        var reader = HTTPDateReader(text)
        guard reader.index(among: weekdays) != nil, reader.take(", "), let day = reader.number(digits: 2),
            reader.take(" "), let month = reader.index(among: months), reader.take(" "),
            let year = reader.number(digits: 4), reader.take(" "), let time = reader.timeOfDay(), reader.take(" GMT"),
            reader.isAtEnd
        else { return nil }
        return seconds(year: year, month: month + 1, day: day, time: time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850)
    private static func old(_ text: String, _ now: Date) -> Int? {
        var reader = HTTPDateReader(text)
        guard reader.index(among: longWeekdays) != nil, reader.take(", "), let day = reader.number(digits: 2),
            reader.take("-"), let month = reader.index(among: months), reader.take("-"),
            let short = reader.number(digits: 2), reader.take(" "), let time = reader.timeOfDay(), reader.take(" GMT"),
            reader.isAtEnd
        else { return nil }
        let limit = year(of: now) + 50
        let year = limit - (limit - short) % 100
        return seconds(year: year, month: month + 1, day: day, time: time)
    }

    /// `Sun Nov  6 08:49:37 1994` (C's `asctime`)
    private static func oldest(_ text: String) -> Int? {
        var reader = HTTPDateReader(text)
        guard reader.index(among: weekdays) != nil, reader.take(" "), let month = reader.index(among: months),
            reader.take(" "), let day = reader.take(" ") ? reader.number(digits: 1) : reader.number(digits: 2),
            reader.take(" "), let time = reader.timeOfDay(), reader.take(" "), let year = reader.number(digits: 4),
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
