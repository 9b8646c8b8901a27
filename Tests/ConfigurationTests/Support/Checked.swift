import FoundationEssentials

@testable import Configuration

/// A config of the water works after its check.
struct Checked {
    let serve: ComponentPlan<SourceFamily>
    let warnings: [String]

    /// Checks `yaml`, and throws all its problems.
    init(_ yaml: String, environment: [String: String] = [:]) throws {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: environment)
        let check = ConfigurationCheck(
            document: document, registry: WaterWorks.registry, sections: WaterWorks.sections)
        serve = check.root.component("serve", SourceFamily.self)
        let http = check.root.object("http")
        _ = http.address("listen")
        _ = http.object("limits").integer("connections", in: 1...)
        _ = http.object("limits").duration("idle_timeout")
        warnings = try check.finish().map(\.description)
    }

    /// The problems of `yaml`, one line each.
    static func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
        do {
            return try Checked(yaml, environment: environment).warnings
        } catch let error as ConfigurationError {
            return error.diagnostics.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    /// Makes the served source.
    func make(_ assembly: Assembly = Assembly(resources: resources())) throws -> Source {
        try serve.instantiate(in: assembly)
    }

    static func resources(journal: Journal = Journal()) -> ComponentResources {
        var resources = ComponentResources()
        resources.set(journal)
        return resources
    }
}

/// A reader over fields of a test's own, for trying single getters.
struct Probe {
    let reader: FieldReader
    private let check: ConfigurationCheck

    init(_ yaml: String, _ fields: [FieldSpec], environment: [String: String] = [:]) throws {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: environment)
        check = ConfigurationCheck(document: document, registry: ComponentRegistry(), sections: fields)
        reader = check.root
    }

    /// The problems found so far, one line each.
    var problems: [String] {
        do {
            return try check.finish().map(\.description)
        } catch {
            return error.diagnostics.map(\.description)
        }
    }
}

extension Probe {
    /// Reads a field by the optional getter of its type.
    func read(_ field: String, _ type: FieldType) {
        switch type {
        case .duration: _ = reader.optional(field, .duration)
        case .integer: _ = reader.optional(field, .integer)
        case .url: _ = reader.optional(field, .url)
        case .address: _ = reader.optional(field, .address)
        case .boolean: _ = reader.optional(field, .boolean)
        case .choice: _ = reader.optionalChoice(field, Letter.self)
        default: preconditionFailure("no getter of \(type) here")
        }
    }
}

enum Letter: String, CaseIterable {
    case a, b
}

/// A file that lives as long as a test needs it.
enum TemporaryFile {
    static func with(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = "/tmp/larder-configuration-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}
