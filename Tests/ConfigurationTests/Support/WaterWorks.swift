import Configuration
import Text

/// The registry and sections of a made-up water works.
enum WaterWorks {
    static let registry: ComponentRegistry = {
        var registry = ComponentRegistry()
        registry.register(SourceFamily.self, [spring, pipe, mix, valve, guarded])
        registry.register(TankFamily.self, [barrel, cistern])
        return registry
    }()

    static let sections: [FieldSpec] = [
        .required("serve", .component(SourceFamily.self), "The source to serve."),
        .optional("http", .object(http), "The server."),
    ]

    static let http: [FieldSpec] = [
        .defaulted("listen", .address, "0.0.0.0:8080", "Where to listen."),
        .defaulted("limits", .object(limits), "{}", "Limits."),
        .defaulted("tls", .any, "off", "Off, or a certificate."),
    ]

    static let limits: [FieldSpec] = [
        .defaulted("connections", .integer, "10000", "How many at once."),
        .defaulted("idle_timeout", .duration, "60s", "How long."),
    ]

    static let barrel = ComponentSpec<TankFamily>(
        type: "barrel", summary: "Holds water.",
        fields: [.defaulted("size", .size, "16KiB", "How much.")], example: "{ type: barrel, size: 1MiB }"
    ) { reader in
        let size = reader.size("size", in: 512...)
        return { _ in Tank(size: size) }
    }

    static let cistern = ComponentSpec<TankFamily>(
        type: "cistern", summary: "Is filled from another tank.",
        fields: [.required("tank", .component(TankFamily.self), "From which.")],
        example: "{ type: cistern, tank: { type: barrel } }"
    ) { reader in
        let tank = reader.component("tank", TankFamily.self)
        let path = reader.path
        return { assembly in
            let inlet = try tank.instantiate(in: assembly)
            assembly.background(path) {}
            assembly.onShutdown(path) {}
            return Tank(size: inlet.size, inlet: inlet)
        }
    }

    static let spring = ComponentSpec<SourceFamily>(
        type: "spring", summary: "Wells up.",
        fields: [
            .required("tank", .component(TankFamily.self), "Where it wells up."),
            .defaulted("flow", .integer, "3", "How fast."),
        ], example: "{ type: spring, tank: cellar }"
    ) { reader in
        let tank = reader.component("tank", TankFamily.self)
        _ = reader.integer("flow", in: 1...10)
        let name = reader.name
        return { assembly in
            assembly.background(name) {}
            return Source(name, tank: try tank.instantiate(in: assembly))
        }
    }

    static let pipe = ComponentSpec<SourceFamily>(
        type: "pipe", summary: "Leads on.",
        fields: [
            .required("upstream", .component(SourceFamily.self), "What it leads on."),
            .defaulted("ttl", .duration, "30s", "How long."),
            .defaulted("grace", .duration, "1h", "How much longer."),
            .defaulted("mode", .choice(Mode.self), "on_demand", "When."),
            .optional("tags", .list(.string), "What to call it."),
            .optional("headers", .map(.string), "What to send along."),
        ], example: "{ type: pipe, upstream: well }"
    ) { reader in
        let upstream = reader.component("upstream", SourceFamily.self)
        let ttl = reader.duration("ttl", in: .seconds(1)...)
        let grace = reader.duration("grace")
        _ = reader.choice("mode", Mode.self)
        _ = reader.strings("tags")
        _ = reader.stringMap("headers")
        if reader.isSound, grace < ttl { reader.report(.error, at: "grace", "\"grace\" is shorter than \"ttl\"") }
        let path = reader.path
        return { assembly in
            let input = try upstream.instantiate(in: assembly)
            let journal = assembly.resource(Journal.self)
            assembly.onShutdown(path) { await journal.note(path) }
            return Source(path, inputs: [input])
        }
    }

    static let mix = ComponentSpec<SourceFamily>(
        type: "mix", summary: "Mixes.",
        fields: [.required("inputs", .components(SourceFamily.self), "What it mixes.")],
        example: "{ type: mix, inputs: [a, b] }"
    ) { reader in
        let inputs = reader.components("inputs", SourceFamily.self)
        let name = reader.name
        return { assembly in Source(name, inputs: try inputs.map { try $0.instantiate(in: assembly) }) }
    }

    static let valve = ComponentSpec<SourceFamily>(
        type: "valve", summary: "Chooses.",
        fields: [
            .required("cases", .componentMap(SourceFamily.self), "By position."),
            .optional("otherwise", .component(SourceFamily.self), "Else."),
        ], example: "{ type: valve, cases: { open: a } }"
    ) { reader in
        let cases = reader.componentMap("cases", SourceFamily.self).map(\.plan)
        let plans = cases + [reader.optionalComponent("otherwise", SourceFamily.self)].compactMap(\.self)
        let name = reader.name
        return { assembly in Source(name, inputs: try plans.map { try $0.instantiate(in: assembly) }) }
    }

    static let guarded = ComponentSpec<SourceFamily>(
        type: "guarded", summary: "Asks for a token.",
        fields: FieldSpec.secretOrFile("token", "The token.") + [
            .required("url", .url, "Where."), .defaulted("share", .ratio, "0.5", "How much."),
        ], example: "{ type: guarded, token: t, url: http://example.com }"
    ) { reader in
        let token = reader.secretOrFile("token")
        _ = reader.url("url")
        _ = reader.ratio("share")
        return { _ in Source(token.reveal()) }
    }
}

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

    static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> Source
    ) throws -> Source { try make() }

    static let noun = "source"
    static let section = "sources"
    static let isTakenOver = false
}

/// A component that a source may stand on; instances are told apart by identity.
final class Tank {
    let size: Int
    let inlet: Tank?

    init(size: Int, inlet: Tank? = nil) {
        self.size = size
        self.inlet = inlet
    }
}

enum TankFamily: ComponentFamily {
    typealias Instance = Tank

    static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> Tank
    ) throws -> Tank { try make() }

    static let noun = "tank"
    static let section = "tanks"
    static let isTakenOver = true
}

enum Mode: String, CaseIterable {
    case onDemand = "on_demand"
    case background
}

/// Records the order in which components are closed.
actor Journal {
    private(set) var entries: [String] = []

    func note(_ entry: String) {
        entries.append(entry)
    }
}
