internal import ArgumentParser
internal import Concurrency
internal import Configuration
internal import JSON
internal import Persistence
internal import Products
internal import Service
internal import Serving
internal import Text
internal import Wiring

struct Refresh: Command {
    static let configuration = CommandConfiguration(
        abstract: "Has a running service refresh from its upstream now: exit 1 when that fails.",
        discussion: "Prints the changes. Waits for a running refresh; with --force another one follows it.")

    @OptionGroup var port: OperatorsPort

    @Option(help: "The memory to refresh, by its name in metrics; by default all of them.")
    var node: String?

    @Flag(help: "Refreshes even if a pause after failures, an open circuit breaker or a monitor would prevent it.")
    var force = false

    @Option(help: "The reason; the service logs it.")
    var reason: String?

    func run(in environment: CommandEnvironment) async throws {
        let response = try await port.ask(
            .order, "/refresh", [("node", node), ("force", force ? "1" : nil), ("reason", reason)], in: environment,
            text: RefreshText.lines)
        try RefreshText.check(response)
    }
}

struct Pin: Command {
    static let configuration = CommandConfiguration(
        abstract: "Has a running service serve a generation until the pin is removed.",
        discussion: """
            The pin outlasts refreshes, reloads and restarts. Refreshes go on and are kept as generations, but are not \
            served. `larder history` lists what can be pinned.

            With --offline it is set in the store's directory, also while no service runs; do that as the user of the \
            service. A running one serves it from its next refresh on. Without a generation it is then the newest one from \
            before the products in use came: repeated calls go on backwards.
            """)

    @OptionGroup var port: OperatorsPort

    @Option(help: "The generation's number.")
    var generation: Int?

    @Option(help: "The beginning of its revision, four digits or more.")
    var revision: String?

    @Option(help: "The store, by its name in metrics. By default the only one, or the shared one.")
    var store: String?

    @Option(help: "The reason; the service logs it, and shows it while the pin is in force.")
    var reason: String?

    @Flag(help: "Sets it in the store's directory, without a running service.")
    var offline = false

    func validate() throws {
        if let revision, revision.count < 4 || !revision.allSatisfy(\.isHexDigit) {
            throw ValidationError("a revision takes at least four hexadecimal digits")
        }
        guard (generation == nil) != (revision == nil) || (offline && revision == nil) else {
            throw ValidationError(
                "choose a generation, as in --generation 12 or --revision 1f3a; larder history lists them")
        }
    }

    func run(in environment: CommandEnvironment) async throws {
        if offline { return try pinOffline(in: environment) }
        let response = try await port.ask(
            .order, "/pin",
            [
                ("generation", generation.map { "\($0)" }), ("revision", revision), ("store", store),
                ("reason", reason),
            ], in: environment
        ) { "\($0.text("store")): \(PinText.sentence($0))\n" }
        PinText.reportDelay(response, in: environment)
    }

    private func pinOffline(in environment: CommandEnvironment) throws {
        let root = try port.options.load(in: environment).root.outline
        let found = try ConfiguredStore.one(store, in: root)
        guard !root.unpinnableStores.contains(where: { $0.metricLabel == found.name }) else {
            throw CommandFailure("larder: \(OrderProblem.unpinnable(found.name))")
        }
        let target = generation.map(HistoryTarget.generation) ?? revision.map { .revision($0.lowercased()) }
        let order = OperatorOrder(
            at: environment.wallClock.now(), by: "\(environment.userName) by larder", reason: reason)
        let (pin, _) = try found.read { archive throws(GenerationArchiveError) in try archive.pin(target, by: order) }
        try environment.print("\(found.name): \(PinText.sentence(pin.json))\n")
        environment.report(PinText.consequence)
    }
}

struct Unpin: Command {
    static let configuration = CommandConfiguration(
        abstract: "Shows what removing the pin would change, and with --confirm removes it.",
        discussion: "Then the graph serves what it would without the pin.")

    @OptionGroup var port: OperatorsPort

    @Option(help: "The store, by its name in metrics. By default the only one, or the shared one.")
    var store: String?

    @Flag(help: "Removes the pin.")
    var confirm = false

    @Option(help: "The reason; the service logs it.")
    var reason: String?

    @Flag(help: "Removes it in the store's directory, without a running service; needs --confirm.")
    var offline = false

    func validate() throws {
        guard confirm || !offline else { throw ValidationError("--offline compares nothing: add --confirm") }
    }

    func run(in environment: CommandEnvironment) async throws {
        if offline {
            let found = try ConfiguredStore.one(store, in: port.options.load(in: environment).root.outline)
            let pin = try found.read { archive throws(GenerationArchiveError) in try archive.unpin() }
            environment.report(PinText.consequence)
            return try environment.print(
                "\(found.name): \(pin.map { "the pin is off: \(PinText.sentence($0.json))" } ?? "nothing was pinned")\n"
            )
        }
        let response = try await port.ask(
            .order, "/unpin", [("store", store), ("confirm", confirm ? "1" : nil), ("reason", reason)],
            in: environment, text: confirm ? Self.outcome : Self.preview)
        PinText.reportDelay(response, in: environment)
    }

    private static func outcome(_ response: JSONObject) -> String {
        guard let pin = response["unpinned"]?.object else { return "\(response.text("store")): nothing was pinned\n" }
        let served = response["served"]?.array?.compactMap(\.object) ?? []
        return "\(response.text("store")): the pin is off: \(PinText.sentence(pin))\n" + served.map(sentence).joined()
    }

    private static func sentence(_ memory: JSONObject) -> String {
        let failure = memory["failure"]?.object.map { ", since the upstream failed: \($0.text("detail"))" } ?? ""
        let what = memory["pinned"] == true ? "the catalogue that was pinned goes on" : "served"
        return "\(memory.text("node")): revision \(memory.revision("revision")): \(what)\(failure)\n"
    }

    private static func preview(_ response: JSONObject) -> String {
        let store = response.text("store")
        guard let pin = response["pin"]?.object else { return "\(store): nothing is pinned\n" }
        let difference = response["difference"]?.object.map { DifferenceText($0).text } ?? ""
        return "\(store): \(PinText.sentence(pin))\n\(difference)"
            + "Nothing is changed yet. After `larder unpin --confirm` \(response.text("afterwards"))\n"
    }
}

struct Accept: Command {
    static let configuration = CommandConfiguration(
        abstract: "Accepts a refused catalogue once: exit 1 when it is not served then.",
        discussion: "`GET /quarantine` on the port for operators shows it with its difference.")

    @OptionGroup var port: OperatorsPort

    @Option(help: "The provider that refused it, by its name in metrics. Required if several did.")
    var node: String?

    @Option(help: "The beginning of its revision, so that no other one is accepted.")
    var revision: String?

    @Option(help: "The reason; the service logs it.")
    var reason: String?

    func run(in environment: CommandEnvironment) async throws {
        let response = try await port.ask(
            .order, "/quarantine/accept", [("node", node), ("revision", revision), ("reason", reason)],
            in: environment
        ) { "\($0.text("node")): accepted revision \($0.revision("accepted"))\n\(RefreshText.lines($0))" }
        if response["shared"] == false {
            environment.report(
                "larder: the shared store is unavailable; other replicas refuse it until it is accepted again")
        }
        try RefreshText.check(response)
    }
}

/// The results of refreshes, for a terminal.
private enum RefreshText {
    static func lines(_ response: JSONObject) -> String {
        results(response).map { "\($0.text("node")): \(sentence($0))\n" }.joined()
    }

    /// - Throws: `ExitCode` when a refresh failed.
    static func check(_ response: JSONObject) throws {
        if results(response).contains(where: { $0["outcome"] == "failed" }) { throw ExitCode.failure }
    }

    private static func results(_ response: JSONObject) -> [JSONObject] {
        response["results"]?.array?.compactMap(\.object) ?? []
    }

    private static func sentence(_ result: JSONObject) -> String {
        if let failure = result["failure"]?.object { return "failed: \(failure.text("detail"))" }
        let pinned = result["pinned"] == true ? "; a pinned generation is served" : ""
        return "\(result.text("outcome")), revision \(result.revision("revision")): \(result.text("added")) added, "
            + "\(result.text("removed")) removed, \(result.text("changed")) changed\(pinned)"
    }
}

enum PinText {
    /// The effect of a pin that was set without a running service.
    static let consequence =
        "A running service follows at its next refresh; without --offline it follows at once."

    /// `generation 3 (revision 4ab3…) pinned since 2026-11-23T04:00:00Z by root-7f from 127.0.0.1: wrong prices`.
    static func sentence(_ pin: JSONObject) -> String {
        "generation \(pin.text("generation")) (revision \(pin.revision("revision"))) pinned since \(pin.text("at")) by "
            + pin.text("by") + (pin["reason"]?.string.map { ": \($0.printable)" } ?? "")
            + (pin["written"] == false ? " (not written, a restart would forget it)" : "")
    }

    fileprivate static func reportDelay(_ response: JSONObject, in environment: CommandEnvironment) {
        guard response["inForce"] == false else { return }
        environment.report("larder: it is not served by all memories yet; see `GET /readyz?verbose`")
    }
}

extension JSONObject {
    /// A string or another value as text; a dash for an unknown value.
    func text(_ key: String) -> String {
        guard let value = self[key], !value.isNull else { return "-" }
        return (value.string ?? "\(value)").printable
    }

    /// The beginning of a revision, long enough to identify it.
    func revision(_ key: String) -> String { String(text(key).prefix(12)) }
}
