internal import Configuration
internal import HTTPServer
internal import Text
internal import Webhooks
internal import Wiring

/// An entry of the config file's `hooks:`, a webhook of an upstream.
package struct HookConfiguration: Sendable {
    let rules: HookRules
    /// The position of the label of the memory to refresh.
    private let nodePosition: SourcePosition

    /// The keys of one webhook.
    static let fields: [FieldSpec] =
        [
            .required(
                "signature", .any,
                "the sender: shopify, woocommerce, commercetools or github; or the parts of another signature: header, "
                    + "encoding (hex or base64), prefix, timestamp (the header of the time of sending, which is signed in "
                    + "front of the body and a dot)")
        ]
        + FieldSpec.secretOrFile("secret", "what it is signed with; a file is read again for each request") + [
            .defaulted(
                "settle", .list(.duration), "[2s, 10s, 60s]",
                "the pauses after which the upstream is asked again until its catalogue has changed"),
            .defaulted(
                "window", .duration, "5m", "how long deliveries are known again, and the greatest age of a signed time"),
            .defaulted("max_body", .size, "64KiB", "the longest body; more is refused unread"),
            .optional("node", .string, "the memory that is refreshed; without it all of them"),
        ]

    fileprivate static let generalFields: [FieldSpec] = [
        .required("header", .string, "the header of the signature"),
        .required("encoding", .choice(HookSignature.Encoding.self), "how its bytes are written"),
        .defaulted("prefix", .string, "\"\"", "the text before them"),
        .optional("timestamp", .string, "the header of the time of sending, in seconds since 1970"),
        .optional("delivery", .string, "has no effect: deliveries are recognised by their signatures"),
    ]

    private static let pauses = Duration.milliseconds(100)...Duration.seconds(3600)
    private static let longestSeries = 10
    /// The greatest `max_body`. The port is started with it, since a reload may add hooks.
    fileprivate static let longestBody = 1 << 20

    /// Reads the section.
    static func all(_ root: FieldReader) -> [HookConfiguration] {
        root.objects("hooks").map { name, reader in
            if !isName(name) {
                reader.report(
                    .error, at: nil, "\"\(name)\" cannot be a hook's name; letters, digits, \"-\" and \"_\" make one")
            }
            return HookConfiguration(rules: rules(of: name, reader), nodePosition: reader.position(of: "node"))
        }
    }

    private static func rules(of name: String, _ reader: FieldReader) -> HookRules {
        HookRules(
            name: name, signature: signature(reader), credential: reader.credential("secret"), settle: settle(reader),
            window: reader.duration("window", in: Duration.seconds(1)...Duration.seconds(86_400)),
            maxBody: reader.size("max_body", in: 1...longestBody), node: reader.optionalString("node"))
    }

    private static func signature(_ reader: FieldReader) -> HookSignature {
        let placeholder = HookSignature(.shopify)
        guard let node = reader.node("signature"), !node.isBroken else { return placeholder }
        guard let text = node.text else { return HookSignature(reader, node) ?? placeholder }
        if let sender = HookSignature.Sender(rawValue: text) { return HookSignature(sender) }
        let names = HookSignature.Sender.allCases.map(\.rawValue)
        reader.report(
            .error, at: "signature",
            "\"signature\": expected \(WordList.alternatives(names + ["mapping"])), found \(node.foundValue)",
            suggestion: ClosestName.to(text, among: names))
        return placeholder
    }

    private static func settle(_ reader: FieldReader) -> [Duration] {
        let settle = reader.durations("settle")
        if reader.isSound, !(1...longestSeries).contains(settle.count) || !settle.allSatisfy(pauses.contains) {
            reader.report(
                .error, at: "settle",
                "\"settle\": from 1 to \(longestSeries) pauses make a series, each from 100ms to 1h")
        }
        return settle
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// Reports a label that matches no provider of the graph.
    func check(in graph: ComponentOutline, _ root: FieldReader) {
        let labels = graph.all.filter { $0.family == ProviderFamily.noun }.map { $0.metricLabel }
        guard let node = rules.node, !labels.contains(node) else { return }
        root.report(
            .error, at: nodePosition, "\"node\": no provider \"\(node)\" is served",
            suggestion: ClosestName.to(node, among: labels))
    }
}

extension HookSignature {
    /// Reads the general form.
    fileprivate init?(_ hook: FieldReader, _ node: ConfigNode) {
        let reader = hook.reader(for: node, fields: HookConfiguration.generalFields, what: "signature")
        let (header, encoding) = (reader.string("header"), reader.choice("encoding", Encoding.self))
        let timestamp = reader.optionalString("timestamp")
        if reader.has("delivery") {
            hook.report(
                .warning, at: reader.position(of: "delivery"),
                "\"delivery\" has no effect: deliveries are recognised by their signatures, since ids are not signed")
        }
        let prefix = reader.string("prefix")
        guard reader.isSound else { return nil }
        self.init(header: header, encoding: encoding, prefix: prefix, timestamp: timestamp)
    }
}

extension HTTPServerOptions {
    /// The options of a port that also accepts webhooks.
    func taking(_ hooks: [HookConfiguration]) -> HTTPServerOptions {
        var options = self
        if !hooks.isEmpty { options.methods.insert(.post) }
        options.maximumBodyBytes = HookConfiguration.longestBody
        return options
    }
}
