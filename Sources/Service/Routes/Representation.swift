internal import HTTPServer

/// A body that clients can keep, and what names it.
struct Representation: Sendable {
    let body: HTTPBody
    /// A strong entity tag, quotes included.
    let entityTag: String
}
