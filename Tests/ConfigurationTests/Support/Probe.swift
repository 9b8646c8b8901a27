import Configuration

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
        case .duration: _ = reader.optionalDuration(field)
        case .integer: _ = reader.optionalInteger(field)
        case .url: _ = reader.optionalURL(field)
        case .address: _ = reader.optionalAddress(field)
        case .boolean: _ = reader.optionalBoolean(field)
        case .choice: _ = reader.optionalChoice(field, Letter.self)
        default: preconditionFailure("no getter of \(type) here")
        }
    }
}

enum Letter: String, CaseIterable {
    case a, b
}
