import Configuration
import FileSystem
import JSON
import Service
import TestSupport
import Testing
import Wiring

@testable import GraphTools

struct ConfigSchemaTests {
    private let schema = ConfigSchema(registry: ComponentRegistry.everyFamily, sections: ServiceConfiguration.fields)

    @Test func `every key of the top level is in it, and no other is allowed`() {
        let names = ServiceConfiguration.fields.map(\.name) + ComponentRegistry.everyFamily.families.map(\.section)
        #expect(schema.document["properties"]?.object?.keys.sorted() == names.sorted())
        #expect(schema.document["additionalProperties"] == false)
        #expect(schema.document["required"] == .array(["serve"]))
    }

    @Test func `every component has a definition with all its fields, their meanings and defaults`() throws {
        for family in ComponentRegistry.everyFamily.families {
            for component in family.components {
                let schema = try #require(definition("\(family.noun).\(component.type)"))
                #expect(schema["description"] == .string(component.summary))
                #expect(schema["additionalProperties"] == false)
                #expect(schema["properties"]?.object?.keys == ["type"] + component.fields.map(\.name))
                try check(component.fields, in: schema)
            }
        }
    }

    @Test(
        arguments: [
            ("provider.memory", "ttl", "30s"), ("provider.memory", "refresh", "on_demand"),
            ("provider.validated", "max_shrink", .measure(0.5, digits: 1)), ("provider.retry", "attempts", 2),
            ("store.json_file", "keep", 3),
            ("provider.http", "max_body", "64MiB"), ("provider.http", "pagination", .object(["type": "single"])),
            ("pagination.page", "first", 1), ("sink.file", "rotate_at", "64MiB"),
        ] as [(String, String, JSONValue)])
    func `a default is there as JSON has it: numbers and mappings as such, what has a unit as text`(
        name: String, field: String, value: JSONValue
    ) throws {
        let properties = try #require(definition(name)?["properties"]?.object)
        #expect(properties[field]?.object?["default"] == value)
    }

    @Test func `a type leads to the definition of its component, and nothing but the family's types is taken`() throws {
        let family = try #require(definition("store"))
        #expect(family["type"] == .array(["object", "string"]))
        #expect(
            family["allOf"]?.array?.compactMap { $0.object?["then"]?.object?["$ref"] }
                == ["#/definitions/store.json_file", "#/definitions/store.redis"])
        let constants = family["properties"]?.object?["type"]?.object?["anyOf"]?.array ?? []
        #expect(constants.compactMap { $0.object?["const"] } == ["json_file", "redis"])
    }

    @Test func `every reference leads to a definition`() {
        let wanted = Self.references(in: .object(schema.document))
        let defined = Set((schema.document["definitions"]?.object?.keys ?? []).map { "#/definitions/\($0)" })
        #expect(!wanted.isEmpty)
        #expect(wanted.subtracting(defined) == [])
    }

    @Test(arguments: Repository.shownConfigs)
    func `the config files are good by it as they stand, without an environment`(path: String) throws {
        let text = String(decoding: try Files.read("\(Repository.root)/\(path)"), as: UTF8.self)
        #expect(try problems(text) == [])
    }

    @Test(arguments: [
        ("htpp: {}\nserve: a\n", "/htpp"), ("log: {}\n", "/serve"),
        ("serve: { type: stored, stoer: disk, store: disk }\n", "/serve/stoer"),
        ("serve: { type: stored }\n", "/serve/store"), ("serve: { type: waterfall }\n", "/serve/type"),
        ("serve: { type: memory, ttl: 5 sec, upstream: a }\n", "/serve/ttl"),
        ("serve: { type: memory, ttl: 5, upstream: a }\n", "/serve/ttl"),
        ("serve: { type: validated, max_shrink: 2, upstream: a }\n", "/serve/max_shrink"),
        ("serve: { type: memory, refresh: never, upstream: a }\n", "/serve/refresh"),
        ("serve: a\nhttp: { tls: on }\n", "/http/tls"), ("serve: a\nhttp: { tls: { key: k } }\n", "/http/tls"),
        ("serve: a\nadmin: { listen: here }\n", "/admin/listen"), ("serve: [a]\n", "/serve"),
        (
            "serve: a\nproviders: { a: { type: http, request: { base_url: ftp://x } } }\n",
            "/providers/a/request/base_url"
        ),
        ("serve: { type: merge, providers: [{ type: stored }] }\n", "/serve/providers/0/store"),
    ])
    func `what is wrong with the shape of a config is wrong by it too`(yaml: String, place: String) throws {
        #expect(try problems(yaml) == [place])
    }

    @Test(arguments: [
        "ttl: 0", "ttl: 1m30s", "ttl: \"${TTL}\"", "ttl: \"${TTL:-5}s\"", "ttl: 250ms", "hold_off: 7d",
        "refresh: \"${REFRESH:-on_demand}\"",
    ])
    func `every way to write a value is good by it`(field: String) throws {
        #expect(try problems("serve: { type: memory, \(field), upstream: a }\n") == [])
    }

    @Test(arguments: [
        "off", "\"off\"", "{ certificate: c, key: k }", "{ certificate: c, key: k, minimum_version: 1.3 }",
        "{ certificate: c, key: k, minimum_version: \"1.2\" }",
    ])
    func `TLS is off or a mapping, and a version is good with and without quotes`(value: String) throws {
        #expect(try problems("serve: a\nhttp: { tls: \(value) }\n") == [])
    }

    private func definition(_ name: String) -> JSONObject? {
        schema.document["definitions"]?.object?[name]?.object
    }

    private func check(_ fields: [FieldSpec], in schema: JSONObject) throws {
        let required = fields.filter { $0.requirement == .required }.map { JSONValue.string($0.name) }
        #expect((schema["required"]?.array ?? []) == required)
        for field in fields {
            let property = try #require(schema["properties"]?.object?[field.name]?.object)
            #expect(property["description"] == .string(field.meaning))
            if case .defaulted = field.requirement {
                #expect(property["default"] != nil)
            } else {
                #expect(property["default"] == nil)
            }
            if case .object(let inner) = field.type { try check(inner, in: property) }
        }
    }

    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: []) { found, member in
                if member.key == "$ref", let reference = member.value.string { found.insert(reference) }
                found.formUnion(references(in: member.value))
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        case .null, .bool, .number, .string: []
        }
    }

    /// The places where a config breaks the schema. Variables stay as they are written, as an editor sees them.
    private func problems(_ yaml: String) throws -> [String] {
        let document = try ConfigDocument.parse(yaml.replacing("${", with: "$${"), file: "c.yaml", environment: [:])
        let checker = SchemaChecker(schemas: schema.document["definitions"]?.object ?? [:])
        let faults = checker.faults(DefaultValue.json(document.root), .object(schema.document))
        return Set(faults.map { String($0.prefix { $0 != ":" }) }).sorted()
    }
}
