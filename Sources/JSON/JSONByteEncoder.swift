/// Encodes any `Encodable` type straight to JSON bytes: no tree in between, members in the order they are encoded.
///
/// Since nothing is held back, a type must be done with a nested container before it goes on with the outer one (one
/// that is not is an error), and a type that encodes one key twice gets it written twice.
public final class JSONByteEncoder: Encoder {
    let sink: JSONSink
    private let parent: JSONByteEncoder?
    private let key: (any CodingKey)?
    private var container: JSONSink.Container?

    init(_ sink: JSONSink, under parent: JSONByteEncoder? = nil, at key: (any CodingKey)? = nil) {
        self.sink = sink
        self.parent = parent
        self.key = key
    }

    /// The JSON of a value.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try append(value, to: &bytes)
        return bytes
    }

    /// Appends the JSON of a value; when that fails, nothing is appended.
    public static func append(_ value: some Encodable, to bytes: inout [UInt8]) throws {
        let sink = JSONSink()
        let start = bytes.count
        swap(&sink.bytes, &bytes)
        do {
            try JSONByteEncoder(sink).write(value)
            swap(&sink.bytes, &bytes)
        } catch {
            swap(&sink.bytes, &bytes)
            bytes.removeSubrange(start...)
            throw error
        }
    }

    /// The way from the outermost value to this one.
    public var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var encoder: JSONByteEncoder? = self
        while let current = encoder {
            if let key = current.key { path.append(key) }
            encoder = current.parent
        }
        return path.reversed()
    }

    /// Nothing: types are encoded as they are.
    public var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// An object. Asked again, it is the same object, so that a subclass and its superclass can share one.
    public func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedEncoding<Key>(encoder: self, container: open(.object)))
    }

    /// An array. Asked again, it is the same array.
    public func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncoding(encoder: self, container: open(.array))
    }

    /// The value itself.
    public func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncoding(encoder: self)
    }

    private func open(_ kind: JSONSink.Kind) -> JSONSink.Container {
        if let container, container.kind == kind { return container }
        if container != nil { sink.report("an object and an array in one place", at: codingPath) }
        let opened = sink.open(kind)
        container = opened
        return opened
    }

    /// Encodes a value into this place, and closes all it opened.
    func write(_ value: some Encodable) throws {
        let start = sink.bytes.count
        let depth = sink.depth
        try value.encode(to: self)
        sink.close(to: depth)
        if let error = sink.error { throw error }
        guard sink.bytes.count > start else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: codingPath, debugDescription: "encoded nothing"))
        }
    }
}
