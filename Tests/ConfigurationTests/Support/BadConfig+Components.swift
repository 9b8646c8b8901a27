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
