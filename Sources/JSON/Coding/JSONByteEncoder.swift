/// Encodes any `Encodable` type straight to JSON bytes: no tree in between, members in the order they are encoded.
///
/// Nothing is buffered: a type must finish a nested container before it continues the outer one (anything else is an
/// error), and a key that is encoded twice is written twice.
package final class JSONByteEncoder: Encoder {
    let sink: JSONSink
    private let parent: JSONByteEncoder?
    private let key: (any CodingKey)?
    private var container: JSONSink.Container?

    init(_ sink: JSONSink, under parent: JSONByteEncoder? = nil, at key: (any CodingKey)? = nil) {
        self.sink = sink
        self.parent = parent
        self.key = key
    }

    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try append(value, to: &bytes)
        return bytes
    }

    /// Appends the JSON of a value; when that fails, nothing is appended.
    package static func append(_ value: some Encodable, to bytes: inout [UInt8]) throws {
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

    package var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var encoder: JSONByteEncoder? = self
        while let current = encoder {
            if let key = current.key { path.append(key) }
            encoder = current.parent
        }
        return path.reversed()
    }

    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// An object. Repeated calls return the same one, so that a subclass and its superclass can share it.
    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONKeyedEncoding<Key>(encoder: self, container: open(.object)))
    }

    /// An array. Repeated calls return the same one.
    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncoding(encoder: self, container: open(.array))
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncoding(encoder: self)
    }

    private func open(_ kind: JSONSink.Kind) -> JSONSink.Container {
        if let container, container.kind == kind { return container }
        if container != nil { sink.report("an object and an array in one place", at: codingPath) }
        let opened = sink.open(kind)
        container = opened
        return opened
    }

    /// Encodes a value here, and closes all containers that it opened.
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

/// The bytes that one encoding writes, and the containers that are open at their end.
final class JSONSink {
    enum Kind {
        case object
        case array
    }

    /// An open container, as its writers see it.
    struct Container {
        let kind: Kind
        let depth: Int
        let serial: Int
    }

    private struct Frame {
        let container: Container
        var isEmpty = true
    }

    var bytes: [UInt8] = []
    private(set) var error: EncodingError?
    private var frames: [Frame] = []
    private var lastSerial = 0

    var depth: Int { frames.count }

    func open(_ kind: Kind) -> Container {
        lastSerial += 1
        let container = Container(kind: kind, depth: frames.count, serial: lastSerial)
        frames.append(Frame(container: container))
        bytes.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return container
    }

    func close(to depth: Int) {
        while frames.count > depth, let frame = frames.popLast() {
            bytes.append(frame.container.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    /// Makes the container the innermost one and writes the separator before its next member.
    func prepare(_ container: Container, at path: @autoclosure () -> [any CodingKey]) {
        guard container.depth < frames.count, frames[container.depth].container.serial == container.serial else {
            report("written to after the container around it went on", at: path())
            return
        }
        close(to: container.depth + 1)
        if !frames[container.depth].isEmpty { bytes.append(UInt8(ascii: ",")) }
        frames[container.depth].isEmpty = false
    }

    func prepare(_ container: Container, key: String, at path: @autoclosure () -> [any CodingKey]) {
        prepare(container, at: path())
        JSONWriter.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Records the first misuse, since not every call of an encoder can throw.
    func report(_ description: String, at path: [any CodingKey]) {
        guard error == nil else { return }
        error = .invalidValue(
            description, EncodingError.Context(codingPath: path, debugDescription: description))
    }
}

extension JSONSink {
    func writeNull() {
        bytes.append(contentsOf: "null".utf8)
    }

    func write(_ bool: Bool) {
        bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    }

    func write(_ string: String) {
        JSONWriter.append(string, to: &bytes)
    }

    func write(_ integer: some FixedWidthInteger) {
        bytes.append(contentsOf: String(integer).utf8)
    }

    func write(
        _ number: some BinaryFloatingPoint & CustomStringConvertible, at path: @autoclosure () -> [any CodingKey]
    ) throws {
        guard number.isFinite else {
            let context = EncodingError.Context(codingPath: path(), debugDescription: "\(number) is not a number")
            throw EncodingError.invalidValue(number, context)
        }
        bytes.append(contentsOf: number.description.utf8)
    }
}
