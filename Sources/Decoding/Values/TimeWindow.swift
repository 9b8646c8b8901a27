package import FoundationEssentials
internal import JSON

/// The time for which a document is decoded, and the time around it in which it gives the same products.
package final class DecodingTime {
    let now: Date
    private var (last, next) = (Date.distantPast, Date.distantFuture)

    package init(now: Date) { self.now = now }

    /// Between the nearest beginnings and ends of windows; nil if there are none.
    var validity: Range<Date>? { last == .distantPast && next == .distantFuture ? nil : last..<next }

    fileprivate func record(change: Date) {
        if change > now { next = min(change, next) } else { last = max(change, last) }
    }
}

/// The time for which a value of an item counts, such as a sale price: from its beginning until just before its end.
///
/// A bound that is missing, null or empty is none.
package struct TimeWindow: Sendable, Hashable {
    private enum Bounds: Sendable, Hashable {
        /// One text with both, by ISO 8601: `2026-11-01T00:00+0100/2026-11-30T23:59+0100`.
        case interval(ItemPath)
        case between(from: ItemPath?, to: ItemPath?)
    }

    private let bounds: Bounds
    /// The offset from UTC of times that state none, in seconds; nil to refuse them.
    private let offset: Int?

    package init(interval: ItemPath) { (bounds, offset) = (.interval(interval), nil) }

    package init(from: ItemPath?, to: ItemPath?, offset: Int?) {
        (bounds, self.offset) = (.between(from: from, to: to), offset)
    }

    /// The paths to the bounds.
    var paths: [ItemPath] {
        switch bounds {
        case .interval(let path): [path]
        case .between(let from, let to): [from, to].compactMap(\.self)
        }
    }

    /// Whether the value counts, with the times at which that changes recorded.
    /// - Throws: `ValueProblem` for a bound that is no time, and one without an offset where none is stated.
    func holds(in item: JSONValue, at time: DecodingTime) throws(ValueProblem) -> Bool {
        let (from, to) = try limits(in: item)
        for limit in [from, to] { if let limit { time.record(change: limit) } }
        return from.map { $0 <= time.now } ?? true && to.map { time.now < $0 } ?? true
    }

    private func limits(in item: JSONValue) throws(ValueProblem) -> (from: Date?, to: Date?) {
        switch bounds {
        case .between(let from, let to): return (try date(at: from, in: item), try date(at: to, in: item))
        case .interval(let path):
            guard let value = path.first(in: item), !value.isBlank else { return (nil, nil) }
            let parts = value.string?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            guard parts.count == 2, let from = Self.date(parts[0], offset: nil),
                let to = Self.date(parts[1], offset: nil)
            else {
                throw ValueProblem(
                    expected: "an interval like 2026-11-01T00:00+0100/2026-11-30T23:59+0100 at \(path)", found: value)
            }
            return (from, to)
        }
    }

    private func date(at path: ItemPath?, in item: JSONValue) throws(ValueProblem) -> Date? {
        guard let path, let value = path.first(in: item), !value.isBlank else { return nil }
        guard let date = value.string.flatMap({ Self.date($0[...], offset: offset) }) else {
            let advice = offset == nil ? ", with its offset or \"zone\" in \"during\"," : ""
            throw ValueProblem(expected: "a time like 2026-11-30T23:59:00Z\(advice) at \(path)", found: value)
        }
        return date
    }

    /// Reads an offset from UTC such as `UTC` or `+01:00`, in seconds; nil for any other text.
    package static func offset(_ text: String) -> Int? {
        if text == "UTC" { return 0 }
        var reader = TimeReader(text[...])
        let offset = reader.offset()
        return reader.isAtEnd ? offset : nil
    }

    private static func date(_ text: Substring, offset: Int?) -> Date? {
        var reader = TimeReader(text)
        return reader.date(offset: offset)
    }
}

/// Reads a date with a time by ISO 8601, with or without seconds and their fractions.
private struct TimeReader {
    private var rest: Substring.UTF8View

    init(_ text: Substring) { rest = text.utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// - Parameter offset: of a time that states none; nil to refuse it.
    mutating func date(offset stated: Int?) -> Date? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            take("T") || take(" "), let hour = number(2), take(":"), let minute = number(2),
            let second = take(":") ? number(2) : 0, year > 0, (1...12).contains(month), day > 0,
            day <= Self.days(year, month + 1, 1) - Self.days(year, month, 1), hour < 24, minute < 60, second < 60
        else { return nil }
        if take(".") || take(",") {
            guard number(1) != nil else { return nil }
            while number(1) != nil {}
        }
        guard let offset = isAtEnd ? stated : offset(), isAtEnd else { return nil }
        let seconds = Self.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// `Z`, `+0100`, `+01:00` or `+01`, in seconds.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let sign = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hours = number(2), hours < 24 else { return nil }
        let minutes = take(":") || !isAtEnd ? number(2) : 0
        guard let minutes, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return Int(Substring(digits))
    }

    /// The days from the beginning of 1970 to a day of the Gregorian calendar, whose month may be the one after December.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that begin in March have their leap day at the end.
        let months = year * 12 + month - 3
        let (shifted, rest) = (months / 12, months % 12)
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (153 * rest + 2) / 5 + day - 719_469
    }
}
