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
