extension BadConfig {
    static let components = [
        BadConfig(
            "missing type", "serve: { tank: { type: barrel } }",
            "c.yaml:1:8: error: missing \"type\"; the types of source are spring, pipe, mix, valve and guarded"),
        BadConfig(
            "unknown type", "serve: { type: sprng, tank: { type: barrel } }",
            "c.yaml:1:16: error: unknown source type \"sprng\"; did you mean \"spring\"?"),
        BadConfig(
            "unknown type without a neighbour", "serve: { type: waterfall }",
            "c.yaml:1:16: error: unknown source type \"waterfall\"; the types of source are spring, pipe, "
                + "mix, valve and guarded"
        ),
        BadConfig(
            "type of another family", "serve: { type: barrel }",
            "c.yaml:1:16: error: type \"barrel\" is a tank, a source is wanted here"),
        BadConfig(
            "type is no text",
            "serve: { type: [spring] }",
            "c.yaml:1:16: error: \"type\": expected string, found list"),
        BadConfig("list for a component", "serve: [a]", "c.yaml:1:8: error: \"serve\": expected source, found list"),
        BadConfig(
            "nothing for a component", "serve:\n", "c.yaml:1:7: error: \"serve\": expected source, found nothing"),
        BadConfig(
            "component for a list", "serve: { type: mix, inputs: { type: mix } }",
            "c.yaml:1:29: error: \"inputs\": expected list of source, found mapping"),
        BadConfig(
            "list for labels", "tanks: [a]\nserve: { type: mix, inputs: [] }",
            "c.yaml:1:8: error: \"tanks\": expected mapping of tank, found list"),
        BadConfig(
            "broken although unused", "tanks: { t: { type: barrel, size: big } }\nserve: { type: mix, inputs: [] }",
            "c.yaml:1:10: warning: tank \"t\" is never used",
            "c.yaml:1:35: error: \"size\": bad size \"big\"; write it like 512, 16KiB, 64MiB or 10MB"),
        BadConfig(
            "empty label", "tanks: { \"\": { type: barrel } }\nserve: { type: spring, tank: \"\" }",
            "c.yaml:1:10: error: a label must not be empty"),
        BadConfig(
            "labels that look like ways",
            "tanks: { a.tank: { type: barrel }, \"a b\": a.tank, ä_1-b: \"a b\", \"${L:-x/y}\": a.tank }\n"
                + "serve: { type: mix, inputs: [{ type: spring, tank: ä_1-b }, { type: spring, tank: x/y }] }",
            "c.yaml:1:10: error: \"a.tank\" is no label; write letters, digits, \"_\" and \"-\" only",
            "c.yaml:1:36: error: \"a b\" is no label; write letters, digits, \"_\" and \"-\" only",
            "c.yaml:1:65: error: \"${L:-x/y}\" is no label; write letters, digits, \"_\" and \"-\" only"),
    ]
}

extension BadConfig {
    static let references = [
        BadConfig("dangling", "serve: well\n", "c.yaml:1:8: error: no source is labelled \"well\""),
        BadConfig(
            "dangling near a label", "sources: { well: { type: mix, inputs: [] } }\nserve: wel\n",
            "c.yaml:2:8: error: no source is labelled \"wel\"; did you mean \"well\"?"),
        BadConfig(
            "type in place of a label", "serve: { type: spring, tank: barrel }\n",
            "c.yaml:1:30: error: no tank is labelled \"barrel\"; did you mean \"{ type: barrel }\"?"),
        BadConfig(
            "wrong family", "tanks: { t: { type: barrel } }\nserve: t\n",
            "c.yaml:2:8: error: \"t\" is a tank, a source is wanted here"),
        BadConfig(
            "cycle of one", "sources: { a: { type: mix, inputs: [a] } }\nserve: a\n", "c.yaml:1:37: error: cycle: a → a"
        ),
        BadConfig(
            "cycle of two",
            "sources:\n  a: { type: mix, inputs: [b] }\n  b: { type: pipe, upstream: a }\nserve: a\n",
            "c.yaml:3:30: error: cycle: a → b → a"),
        BadConfig("cycle of labels", "sources: { a: b, b: a }\nserve: a\n", "c.yaml:1:21: error: cycle: a → b → a"),
        BadConfig(
            "cycle that is not served",
            "sources:\n  a: { type: mix, inputs: [b] }\n  b: { type: mix, inputs: [a] }\nserve: { type: mix, "
                + "inputs: [] }\n",
            "c.yaml:3:28: error: cycle: a → b → a"),
        BadConfig(
            "unused labels",
            "tanks: { t: { type: barrel } }\nsources:\n  a: { type: mix, inputs: [] }\nserve: { type: mix, "
                + "inputs: [] }\n",
            "c.yaml:1:10: warning: tank \"t\" is never used",
            "c.yaml:3:3: warning: source \"a\" is never used"),
        BadConfig(
            "labels within what cannot be read count as used",
            "sources:\n  a: { type: mix, inputs: [] }\n  b: { type: mix, inputs: [] }\nserve: { type: mx, "
                + "inputs: [a], x: b }\n",
            "c.yaml:4:16: error: unknown source type \"mx\"; did you mean \"mix\"?"),
        BadConfig(
            "an aliased problem is reported once",
            "serve:\n  type: mix\n  inputs:\n  - &m { type: mix, inputs: [], x: 1 }\n  - *m\n",
            "c.yaml:4:33: error: unknown key \"x\" in \"mix\""),
    ]
}

extension BadConfig {
    static let values = [
        BadConfig(
            "bad duration", "serve: { type: pipe, ttl: 5 sec, upstream: w }\nsources: { w: { type: mix, inputs: [] } }",
            "c.yaml:1:27: error: \"ttl\": bad duration \"5 sec\"; write it like 250ms, 5s, 2m or 7d"),
        BadConfig(
            "mapping for a duration", "serve: { type: pipe, ttl: {}, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:27: error: \"ttl\": expected duration, found mapping"),
        BadConfig(
            "nothing for a duration", "serve:\n  type: pipe\n  ttl:\n  upstream: { type: mix, inputs: [] }\n",
            "c.yaml:3:7: error: \"ttl\": expected duration, found nothing"),
        BadConfig(
            "duration too short", "serve: { type: pipe, ttl: 10ms, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:27: error: \"ttl\": \"10ms\" is out of range; it must be at least 1s"),
        BadConfig(
            "misspelt choice", "serve: { type: pipe, mode: ondemand, upstream: { type: mix, inputs: [] } }",
            "c.yaml:1:28: error: \"mode\": expected on_demand or background, found \"ondemand\"; did you mean "
                + "\"on_demand\"?"
        ),
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
            "bad size", "serve: { type: spring, tank: { type: barrel, size: 16 KB } }",
            "c.yaml:1:52: error: \"size\": bad size \"16 KB\"; write it like 512, 16KiB, 64MiB or 10MB"),
        BadConfig(
            "size too small", "serve: { type: spring, tank: { type: barrel, size: 1 } }",
            "c.yaml:1:52: error: \"size\": \"1\" is out of range; it must be at least 512"),
        BadConfig(
            "bad address", "http: { listen: \":8080\" }\nserve: { type: mix, inputs: [] }",
            "c.yaml:1:17: error: \"listen\": bad address \":8080\": it has no host; write it like 127.0.0.1:8080, "
                + "example.com:443 or [::1]:8080"
        ),
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
        BadConfig(
            "no secret", "serve: { type: guarded, url: http://x }",
            "c.yaml:1:8: error: missing \"token\" or \"token_file\" in \"guarded\""),
        BadConfig(
            "two secrets", "serve: { type: guarded, url: http://x, token: a, token_file: /b }",
            "c.yaml:1:62: error: \"token\" and \"token_file\" exclude each other; keep one"),
        BadConfig(
            "secret file missing", "serve: { type: guarded, url: http://x, token_file: /no/such }",
            "c.yaml:1:52: error: \"token_file\": cannot read \"/no/such\": no such file"),
        BadConfig(
            "list for a section", "http: []\nserve: { type: mix, inputs: [] }",
            "c.yaml:1:7: error: \"http\": expected mapping, found list"),
    ]
}
