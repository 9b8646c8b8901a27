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
