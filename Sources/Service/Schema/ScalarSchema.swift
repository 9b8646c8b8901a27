internal import Configuration
internal import JSON

/// Schemas of the texts that a config file may hold, by the names of their field types.
///
/// A pattern binds texts and a bound binds numbers, so one schema stands for `0` as a number and `5s` as a text.
enum ScalarSchema {
    /// A text that names environment variables; only the service sees what it comes to.
    static let interpolated: JSONObject = ["type": "string", "pattern": .string(reference)]

    /// Every type of scalar.
    static let definitions: JSONObject = [
        "\(FieldType.string)": anyText([:]),
        "\(FieldType.integer)": text(["integer", "string"], "[+-]?[0-9]+"),
        "\(FieldType.number)": text(["number", "string"], decimal),
        "\(FieldType.boolean)": text(["boolean", "string"], "true|false"),
        "\(FieldType.duration)": text(
            ["string", "integer"], "0|(?=[0-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?",
            "250ms, 5s, 2m, 3h, 7d, or a sum such as 1m30s", bounds: ["maximum": 0, "minimum": 0]),
        "\(FieldType.size)": text(
            ["integer", "string"], "[0-9]+(GiB|GB|MiB|MB|KiB|kB|B)?", "bytes: 512, 16KiB, 64MiB, 10MB",
            bounds: ["minimum": 0]),
        "\(FieldType.ratio)": text(
            ["number", "string"], decimal, "a number from 0 to 1", bounds: ["minimum": 0, "maximum": 1]),
        "\(FieldType.address)": text(
            ["string"], #"(\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+):[0-9]{1,5}"#, "host:port or [v6]:port"),
        "\(FieldType.url)": text(["string"], #"[Hh][Tt][Tt][Pp][Ss]?://[^\s]+"#, "an absolute http or https URL"),
        "\(FieldType.secret)": anyText(["minLength": 1]),
        "\(FieldType.path)": anyText(["minLength": 1]),
    ]

    private static let reference = #"\$\{"#
    private static let decimal = #"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"#

    /// What YAML takes for a number is text here where text is wanted.
    private static func anyText(_ bounds: JSONObject) -> JSONValue {
        var schema: JSONObject = ["type": .array(["string", "number", "boolean"])]
        schema.add(bounds)
        return .object(schema)
    }

    private static func text(
        _ types: [JSONValue], _ pattern: String, _ description: String? = nil, bounds: JSONObject = [:]
    ) -> JSONValue {
        var schema: JSONObject = ["type": .array(types), "pattern": .string("^(\(pattern))$|\(reference)")]
        schema.add(bounds)
        schema["description"] = description.map { .string($0) }
        return .object(schema)
    }
}
