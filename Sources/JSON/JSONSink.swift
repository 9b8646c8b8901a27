/// The bytes that one encoding writes, and the containers that are open at their end.
final class JSONSink {
    enum Kind {
        case object
        case array
    }

    /// A container that was opened, as those who write into it hold it.
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

    /// Makes the container the innermost one and writes what separates its next member from the last.
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

    /// Remembers the first misuse, since not every call of an encoder can throw.
    func report(_ description: String, at path: [any CodingKey]) {
        guard error == nil else { return }
        error = .invalidValue(
            description, EncodingError.Context(codingPath: path, debugDescription: description))
    }
}
