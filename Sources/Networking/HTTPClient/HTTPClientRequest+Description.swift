extension HTTPClientRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, place and headers. Of the URL no user, password or query, and of the body nothing: they may hold
    /// secrets.
    public var description: String { "\(method) \(place) \(headers)" }

    /// The same.
    public var debugDescription: String { description }

    /// Method, place and headers alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": place, "headers": headers] as KeyValuePairs<String, Any>)
    }

    /// The URL without what may be secret.
    var place: String { HTTPClientFailure(url: url, detail: "").place }
}
