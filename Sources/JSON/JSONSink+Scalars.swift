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
