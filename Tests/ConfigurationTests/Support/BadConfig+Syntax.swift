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
