extension JSONValue {
    /// A number with so many digits after the point; null where it is none.
    package static func measure(_ number: Double, digits: Int) -> JSONValue {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        return JSONNumber((number * scale).rounded() / scale).map { .number($0) } ?? .null
    }

    /// A duration in seconds, to the millisecond.
    package static func seconds(_ duration: Duration) -> JSONValue { measure(duration / .seconds(1), digits: 3) }

    /// A duration in milliseconds, to the microsecond.
    package static func milliseconds(_ duration: Duration) -> JSONValue {
        measure(duration / .milliseconds(1), digits: 3)
    }

    /// A whole number.
    package static func count(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}
