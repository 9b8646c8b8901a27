import Configuration

/// A component of a made-up water works, on which configs are tried out.
final class Source {
    let name: String
    let inputs: [Source]
    let tank: Tank?

    init(_ name: String, inputs: [Source] = [], tank: Tank? = nil) {
        self.name = name
        self.inputs = inputs
        self.tank = tank
    }
}

enum SourceFamily: ComponentFamily {
    typealias Instance = Source
    static let noun = "source"
    static let section = "sources"

    static func adopt(_ instance: Source, as outline: ComponentOutline, in assembly: Assembly) -> Source { instance }
}
