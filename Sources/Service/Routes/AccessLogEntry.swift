internal import HTTPServer
internal import Logging
internal import Products
internal import Providers

/// What the access log tells of one answer.
struct AccessLogEntry {
    /// How many bytes of what a client chose are logged of a part of its request.
    private static let longestPart = 1024

    let request: HTTPRequest
    let response: HTTPResponse
    /// From when the request was there until its answer was; nil where the answer was at hand and nobody looked.
    let nanoseconds: Int64?

    /// Path and query as they came, the answer's status, the bytes of its body, the time it took, the client's address
    /// and what the request is called.
    var metadata: Logger.Metadata {
        var metadata = request.cause.metadata
        metadata["method"] = "\(request.method)"
        metadata["path"] = .string(Self.bounded(request.rawPath))
        if let query = request.rawQuery { metadata["query"] = .string(Self.bounded(query)) }
        metadata["status"] = .stringConvertible(response.status.code)
        metadata["size"] = .stringConvertible(size)
        if let nanoseconds { metadata["duration_ms"] = .stringConvertible(Double(nanoseconds / 1000) / 1000) }
        metadata["remote"] = .string(request.peer)
        return metadata
    }

    private var size: Int {
        let hasNone = request.method == .head || [204, 304].contains(response.status.code)
        return hasNone ? 0 : response.body.count
    }

    /// Cut between two characters, so that the text stays one.
    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > longestPart else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestPart)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}
