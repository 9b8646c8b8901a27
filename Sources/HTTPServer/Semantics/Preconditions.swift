package import FoundationEssentials

/// The conditions that a request for reading may set, in the order in which they count (RFC 9110, 13.2.2).
package enum Preconditions {
    /// The consequence for the request.
    package enum Outcome: Sendable, Hashable {
        /// The response is the one without conditions.
        case met
        /// The client has the representation already: 304.
        case notModified
        /// The client wanted another representation than there is: 412.
        case failed
    }

    /// Evaluates the conditions of a request.
    ///
    /// A date that cannot be read is no condition, and dates are no conditions beside tags.
    ///
    /// - Parameters:
    ///   - entityTag: that of the representation which the request selects.
    ///   - now: by which dates with two digits for the year are read; asked for where there is a date.
    package static func outcome(
        of request: HTTPRequest, entityTag: String, lastModified: LastModified, now: @autoclosure () -> Date
    ) -> Outcome {
        guard request.isConditional else { return .met }
        func date(_ name: String) -> Int? { request.header(name).flatMap { HTTPDate.seconds(of: $0, now: now()) } }
        if let wanted = request.header("If-Match") {
            guard EntityTag.matches(wanted, entityTag, by: .strong) else { return .failed }
        } else if let limit = date("If-Unmodified-Since"), lastModified.seconds > limit {
            return .failed
        }
        if let known = request.header("If-None-Match") {
            return EntityTag.matches(known, entityTag) ? .notModified : .met
        }
        guard let known = date("If-Modified-Since") else { return .met }
        return lastModified.seconds <= known ? .notModified : .met
    }
}

/// When a representation changed last, as far as headers can say it: to the second.
package struct LastModified: Sendable, Equatable {
    /// Whole seconds since 1970.
    package let seconds: Int
    private let text: String

    package init(_ date: Date) {
        seconds = Int(date.timeIntervalSince1970.rounded(.down))
        text = HTTPDate.text(date)
    }

    /// The value of the header `Last-Modified` at a moment, never a later one (RFC 9110, 8.8.2.1).
    package func text(at now: Date) -> String {
        Double(seconds) > now.timeIntervalSince1970 ? HTTPDate.text(now) : text
    }
}
