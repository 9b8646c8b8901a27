extension HTTPRequest {
    /// The path decoded. A `%2F` becomes a slash here, so split before decoding where that matters.
    public var path: String {
        get throws(HTTPRequestError) {
            let decoded = unsafe storage.withPath { unsafe PercentEncoding.decode($0) }
            guard let decoded else { throw .malformedPath(rawPath) }
            return decoded
        }
    }

    /// The query as it came, without the question mark; `nil` when there is none.
    public var rawQuery: String? {
        let pathSize = storage.layout.pathSize
        return unsafe storage.withTarget { target in
            guard pathSize < target.count else { return nil }
            return unsafe String(decoding: target.dropFirst(pathSize + 1), as: UTF8.self)
        }
    }

    /// The items of the query in order, decoded, a plus as a space. Empty items (`a&&b`) are left out.
    public var queryItems: [HTTPQueryItem] {
        get throws(HTTPRequestError) {
            var items: [HTTPQueryItem] = []
            for item in (rawQuery ?? "").utf8.split(separator: UInt8(ascii: "&")) {
                items.append(try decodedItem(item))
            }
            return items
        }
    }

    private func decodedItem(_ item: Substring.UTF8View) throws(HTTPRequestError) -> HTTPQueryItem {
        let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.map { PercentEncoding.decode($0, plusIsSpace: true) }
        guard let name = decoded[0] else { throw .malformedQueryItem(String(Substring(item))) }
        guard decoded.count > 1 else { return HTTPQueryItem(name: name) }
        guard let value = decoded[1] else { throw .malformedQueryItem(String(Substring(item))) }
        return HTTPQueryItem(name: name, value: value)
    }
}
