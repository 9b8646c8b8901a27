import Testing

/// A way for an upstream to fail its client: the rows of the matrix.
enum Fault: String, Sendable, CaseIterable, CustomTestStringConvertible {
    /// Nobody listens any more.
    case refused
    /// Its name means nothing.
    case dns = "DNS"
    /// It resets the connection instead of answering.
    case reset
    /// It never answers.
    case hang
    /// Its answer trickles in: whole in the end, but later than a `timeout` decorator waits.
    case slow
    case notFound = "404"
    case tooManyRequests = "429"
    case serverError = "500"
    case unavailable = "503"
    /// Its answer ends in the middle.
    case cutOff = "cut-off"
    /// It answers with a page for people.
    case html = "HTML"
    /// It answers with a catalogue without products.
    case empty
    /// It answers with a catalogue that lost most of its products.
    case shrunken
    /// It answers with JSON that is no catalogue.
    case invalid

    var testDescription: String { rawValue }

    /// Whether it takes a time limit to notice.
    var isEndless: Bool { self == .hang }
}
