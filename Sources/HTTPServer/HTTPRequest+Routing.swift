/// What a router asks of a path, without making a text of it.
extension HTTPRequest {
    /// Whether the path stands for itself: text without escapes.
    var isPathPlain: Bool {
        unsafe storage.withPath { path in
            unsafe path.allSatisfy { $0 > 0 && $0 < 0x80 && $0 != UInt8(ascii: "%") }
        }
    }

    /// The parameters, if the path is of this pattern.
    func parameters(of pattern: RoutePattern) -> PathParameters? {
        unsafe storage.withPath { unsafe pattern.match($0) }
    }
}
