import Configuration
import Testing

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

    /// Every kind of problem that the golden configs of the service do not show.
    static let all = [
        BadConfig("comment only", "# nothing\n", "c.yaml: error: the file is empty"),
        BadConfig("not a mapping", "- a\n- b\n", "c.yaml:1:1: error: expected a mapping at the top level, found list"),
        BadConfig("a text", "hello", "c.yaml:1:1: error: expected a mapping at the top level, found \"hello\""),
        BadConfig(
            "bad indentation", "serve: a\n  http: b\n",
            "c.yaml:2:7: error: invalid YAML: mapping values are not allowed in this context"),
        BadConfig(
            "no space after the colon, and other keys", "serve:\n  type: spring\n  flow:5\n  colour: blue\n",
            "c.yaml:4:3: error: invalid YAML: could not find expected ':' while scanning a simple key that begins at line 3; "
                + "write a space after the colon"),
        BadConfig(
            "no space after the colon of the last key", "serve:\n  type: spring\n  flow:5\n",
            "c.yaml:4:1: error: invalid YAML: could not find expected ':' while scanning a simple key that begins at line 3; "
                + "write a space after the colon"),
        BadConfig(
            "no space after the colon of the only key", "serve:\n  type:spring\n",
            "c.yaml:2:3: error: no source is labelled \"type:spring\"; write a space after the colon"),
        BadConfig(
            "no space after the colon within braces", "serve: { type: spring, flow:5 }\n",
            "c.yaml:1:8: error: missing \"tank\" in \"spring\"",
            "c.yaml:1:24: error: unknown key \"flow:5\" in \"spring\"; write a space after the colon"),
        BadConfig(
            "no space after the colon at the top", "serve:a\n",
            "c.yaml:1:1: error: expected a mapping at the top level, found \"serve:a\"; write a space after the colon"),
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
        BadConfig("missing serve", "http: {}\n", "c.yaml:1:1: error: missing \"serve\" at the top level"),
        BadConfig(
            "unknown key without a neighbour",
            "serve:\n  type: spring\n  colour: blue\n  tank: { type: barrel }\n",
            "c.yaml:3:3: error: unknown key \"colour\" in \"spring\""),
        BadConfig(
            "duplicate key: the first, by name, and nothing else",
            "serve:\n  type: sprng\n  tank: a\n  flow: 1\n  flow: 2\n  \"flow\": 3\n",
            "c.yaml:4:3: error: duplicate key \"flow\"; this is the first one"),
        BadConfig(
            "of keys from the environment the names are told, and not the values",
            "\"${A:-secret}\": 1\nserve:\n  type: pipe\n  upstream: { type: mix, inputs: [] }\n"
                + "  headers: { \"${A:-secret}\": [], \"${B:-secret}\": x }\n",
            "c.yaml:1:1: error: unknown key \"${A:-secret}\" at the top level",
            "c.yaml:5:30: error: \"headers.${A:-secret}\": expected string, found list",
            "c.yaml:5:34: error: duplicate key \"${B:-secret}\"; the first one is at line 5"),
        BadConfig(
            "type of another family", "serve: { type: barrel }",
            "c.yaml:1:16: error: type \"barrel\" is a tank, expected a source"),
        BadConfig(
            "type is no text",
            "serve: { type: [spring] }",
            "c.yaml:1:16: error: \"type\": expected string, found list"),
        BadConfig("list for a component", "serve: [a]", "c.yaml:1:8: error: \"serve\": expected source, found list"),
        BadConfig(
            "nothing for a component", "serve:\n", "c.yaml:1:7: error: \"serve\": expected source, found nothing"),
        BadConfig(
            "empty label", "tanks: { \"\": { type: barrel } }\nserve: { type: spring, tank: \"\" }",
            "c.yaml:1:10: error: a label must not be empty"),
        BadConfig("cycle of labels", "sources: { a: b, b: a }\nserve: a\n", "c.yaml:1:21: error: cycle: a → b → a"),
        BadConfig(
            "cycle that is not served",
            "sources:\n  a: { type: mix, inputs: [b] }\n  b: { type: mix, inputs: [a] }\nserve: { type: mix, "
                + "inputs: [] }\n",
            "c.yaml:3:28: error: cycle: a → b → a"),
        BadConfig(
            "labels within what cannot be read count as used",
            "sources:\n  a: { type: mix, inputs: [] }\n  b: { type: mix, inputs: [] }\nserve: { type: mx, "
                + "inputs: [a], x: b }\n",
            "c.yaml:4:16: error: unknown source type \"mx\"; did you mean \"mix\"?"),
        BadConfig(
            "an aliased problem is reported once",
            "serve:\n  type: mix\n  inputs:\n  - &m { type: mix, inputs: [], x: 1 }\n  - *m\n",
            "c.yaml:4:33: error: unknown key \"x\" in \"mix\""),
        BadConfig(
            "mapping for a duration", "serve: { type: pipe, ttl: {}, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:27: error: \"ttl\": expected duration, found mapping"),
        BadConfig(
            "duration too short", "serve: { type: pipe, ttl: 10ms, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:27: error: \"ttl\": \"10ms\" is out of range; it must be at least 1s"),
        BadConfig(
            "contradiction", "serve: { type: pipe, ttl: 2h, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:8: error: \"grace\" is shorter than \"ttl\""),
        BadConfig(
            "no contradiction is seen in what cannot be read",
            "serve: { type: pipe, ttl: 2h, grace: soon, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:38: error: \"grace\": bad duration \"soon\"; write it like 250ms, 5s, 2m or 7d"),
        BadConfig(
            "lists and maps of text",
            "serve: { type: pipe, tags: [a, [b]], headers: { x: {} }, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:32: error: \"tags[1]\": expected string, found list",
            "c.yaml:1:52: error: \"headers.x\": expected string, found mapping"),
        BadConfig(
            "text for a list, list for a map",
            "serve: { type: pipe, tags: a, headers: [], upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:28: error: \"tags\": expected list of string, found \"a\"",
            "c.yaml:1:40: error: \"headers\": expected mapping of string, found list"),
        BadConfig(
            "integer out of range", "serve: { type: spring, flow: 11, tank: { type: barrel } }",
            "c.yaml:1:30: error: \"flow\": \"11\" is out of range; it must be from 1 to 10"),
        BadConfig(
            "text for an integer", "serve: { type: spring, flow: \"three\", tank: { type: barrel } }",
            "c.yaml:1:30: error: \"flow\": expected integer, found \"three\""),
        BadConfig(
            "size too small", "serve: { type: spring, tank: { type: barrel, size: 1 } }",
            "c.yaml:1:52: error: \"size\": \"1\" is out of range; it must be at least 512"),
        BadConfig(
            "bad values of the environment",
            "http: { listen: \"${LISTEN:-https://shop.example/v2}\" }\n"
                + "serve: { type: spring, flow: \"${FLOW:-three}\", tank: { type: barrel, size: \"${SIZE:-1}\" } }",
            "c.yaml:1:17: error: \"listen\": bad address \"https://shop.example/v2\" (from "
                + "\"${LISTEN:-https://shop.example/v2}\"): it begins with a scheme; write it like 127.0.0.1:8080, "
                + "example.com:443 or [::1]:8080; did you mean \"shop.example:443\"?",
            "c.yaml:2:30: error: \"flow\": expected integer, found \"three\" (from \"${FLOW:-three}\")",
            "c.yaml:2:76: error: \"size\": \"1\" (from \"${SIZE:-1}\") is out of range; it must be at least 512"),
        BadConfig(
            "bad url and ratio", "serve: { type: guarded, token: t, url: ftp://x, share: 1.5 }",
            "c.yaml:1:40: error: \"url\": bad url \"ftp://x\": its scheme is neither http nor https; write it like http://example.com/products",
            "c.yaml:1:56: error: \"share\": bad ratio \"1.5\"; write a number from 0 to 1"),
        BadConfig(
            "a bad url is shown without who may use it",
            "serve: { type: guarded, token: t, url: \"ftp://me:s3cr@t@x/y\" }",
            "c.yaml:1:40: error: \"url\": bad url \"ftp://<redacted>@x/y\": its scheme is neither http "
                + "nor https; write it like http://example.com/products"),
    ]
}
