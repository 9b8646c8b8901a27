import Configuration
import Testing

/// Bad configs and exactly what is said about them.
struct BadConfigTests {
    @Test(arguments: BadConfig.all)
    func `every problem is reported with its place, its reason and what was meant`(_ bad: BadConfig) {
        #expect(Checked.problems(bad.yaml) == bad.problems)
    }
}

/// A bad config and the lines that describe its problems.
struct BadConfig: Sendable, CustomTestStringConvertible {
    let name: String
    let yaml: String
    let problems: [String]

    init(_ name: String, _ yaml: String, _ problems: String...) {
        self.name = name
        self.yaml = yaml
        self.problems = problems
    }

    var testDescription: String { name }

    static let all = syntax + keys + values + components + references
}

extension BadConfig {
    static let syntax = [
        BadConfig("empty file", "", "c.yaml: error: the file is empty"),
        BadConfig("comment only", "# nothing\n", "c.yaml: error: the file is empty"),
        BadConfig("not a mapping", "- a\n- b\n", "c.yaml:1:1: error: expected a mapping at the top level, found list"),
        BadConfig("a text", "hello", "c.yaml:1:1: error: expected a mapping at the top level, found \"hello\""),
        BadConfig(
            "bad indentation", "serve: a\n  http: b\n",
            "c.yaml:2:7: error: invalid YAML: mapping values are not allowed in this context"),
        BadConfig(
            "unclosed flow", "serve: { type: spring\nhttp: {}\n",
            "c.yaml:2:5: error: invalid YAML: did not find expected ',' or '}' while parsing a flow mapping "
                + "that begins at line 1"
        ),
        BadConfig(
            "bare reference within braces", "tanks:\n  t: { type: barrel, size: ${SIZE} }\n",
            "c.yaml:2:29: error: invalid YAML: did not find expected ',' or '}' while parsing a flow mapping; "
                + "a value with \"${…}\" needs quotes inside { } and [ ]"
        ),
        BadConfig(
            "tab", "serve:\n\ttype: x\n",
            "c.yaml:2:1: error: invalid YAML: found character that cannot start any token while scanning for "
                + "the next token; indent by spaces, not by tabs"
        ),
        BadConfig(
            "two documents", "serve: a\n---\nserve: b\n",
            "c.yaml:2:1: error: invalid YAML: expected a single document in the stream, but found another document"),
        BadConfig("undefined alias", "serve: *nobody\n", "c.yaml:1:8: error: invalid YAML: found undefined alias"),
        BadConfig(
            "control character", "serve: a\u{1}b\n",
            "c.yaml:1:9: error: invalid YAML: control characters are not allowed"),
        BadConfig("unknown tag", "serve: !env TANK\n", "c.yaml:1:8: error: unknown YAML tag \"!env\""),
        BadConfig(
            "undefined variable", "serve: ${NOBODY}\nhtp: 1\n",
            "c.yaml:1:8: error: environment variable NOBODY is not defined; define it or write ${NOBODY:-default}",
            "c.yaml:2:1: error: unknown key \"htp\" at the top level; did you mean \"http\"?"),
        BadConfig(
            "unclosed variable", "serve: \"${NOBODY\"\n",
            "c.yaml:1:8: error: \"${\" without its \"}\"; write ${NAME}, ${NAME:-default}, or $${ for a "
                + "literal \"${\""),
        BadConfig(
            "bad merge", "serve: a\nhttp:\n  <<: 3\n", "c.yaml:1:8: error: no source is labelled \"a\"",
            "c.yaml:3:7: error: expected a mapping or a list of mappings after \"<<\", found \"3\""),
    ]
}

extension BadConfig {
    static let keys = [
        BadConfig(
            "unknown top-level key", "serve: { type: spring, tank: { type: barrel } }\nhtpp: {}\n",
            "c.yaml:2:1: error: unknown key \"htpp\" at the top level; did you mean \"http\"?"),
        BadConfig("missing serve", "http: {}\n", "c.yaml:1:1: error: missing \"serve\" at the top level"),
        BadConfig(
            "unknown key in a component",
            "serve:\n  type: pipe\n  tll: 5s\n  upstream: { type: spring, tank: { type: barrel } }\n",
            "c.yaml:3:3: error: unknown key \"tll\" in \"pipe\"; did you mean \"ttl\"?"),
        BadConfig(
            "unknown key without a neighbour",
            "serve:\n  type: spring\n  colour: blue\n  tank: { type: barrel }\n",
            "c.yaml:3:3: error: unknown key \"colour\" in \"spring\""),
        BadConfig(
            "missing field",
            "serve:\n  type: spring\n  flow: 4\n",
            "c.yaml:2:3: error: missing \"tank\" in \"spring\""),
        BadConfig(
            "unknown key in a nested section",
            "serve: { type: spring, tank: { type: barrel } }\nhttp:\n  limits: { conections: 5 }\n",
            "c.yaml:3:13: error: unknown key \"conections\" in \"http.limits\"; did you mean \"connections\"?"),
        BadConfig(
            "duplicate key: the first, by name, and nothing else",
            "serve:\n  type: sprng\n  tank: a\n  flow: 1\n  flow: 2\n  \"flow\": 3\n",
            "c.yaml:4:3: error: duplicate key \"flow\"; this is the first one"),
        BadConfig(
            "duplicate key in braces", "serve: { type: spring, tank: {type: barrel}, type: pipe }",
            "c.yaml:1:10: error: duplicate key \"type\"; this is the first one"),
        BadConfig(
            "of keys from the environment the names are told, and not the values",
            "\"${A:-secret}\": 1\nserve:\n  type: pipe\n  upstream: { type: mix, inputs: [] }\n"
                + "  headers: { \"${A:-secret}\": [], \"${B:-secret}\": x }\n",
            "c.yaml:1:1: error: unknown key \"${A:-secret}\" at the top level",
            "c.yaml:5:30: error: \"headers.${A:-secret}\": expected string, found list",
            "c.yaml:5:34: error: duplicate key \"${B:-secret}\"; the first one is at line 5"),
    ]
}
