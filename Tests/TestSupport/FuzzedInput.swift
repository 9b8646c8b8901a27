internal import FileSystem

/// An input that a fuzzer starts from, or that it found worth keeping.
public struct FuzzedInput: Sendable, CustomStringConvertible {
    /// The name of its file.
    public let name: String
    /// The input itself.
    public let bytes: [UInt8]

    /// The name alone.
    public var description: String { name }

    /// All inputs of a fuzzer, by name; none when there is no such fuzzer.
    public static func corpus(of fuzzer: String) -> [FuzzedInput] {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let corpus = "\(folder)/Fuzz/\(fuzzer)/Corpus"
        return ((try? Files.list(corpus)) ?? []).compactMap { name in
            (try? Files.read("\(corpus)/\(name)")).map { FuzzedInput(name: name, bytes: $0) }
        }
    }
}
