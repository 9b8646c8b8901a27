internal import Configuration
internal import Wiring

/// Reports a store that keeps the answers to some requests only, if other requests read or write it as well: they get
/// answers meant for others, and the writers overwrite each other.
struct SharedStoreLint: Lint {
    /// A user of a store whose requests never reach one of the store's writers.
    private struct Mixture {
        let user: ComponentOutline
        let writer: ComponentOutline
    }

    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        let shared = Dictionary(grouping: graph.filter { $0.store != nil }) { $0.store?.place }.values
            .filter { $0.count > 1 && $0.contains { $0.isProvider("caching") } }
        guard !shared.isEmpty else { return [] }
        let found = RequestView.all(in: graph).flatMap { view in shared.flatMap { mixtures(in: view, among: $0) } }
        let reported = found.filter { mixture in !found.contains { isReported(mixture, by: $0) } }
        return Dictionary(reported.map { ($0.user.id, problem($0)) }) { first, _ in first }.map(\.value)
    }

    private func mixtures(in view: RequestView, among users: [ComponentOutline]) -> [Mixture] {
        guard let writer = users.first(where: { $0.isProvider("caching") && view.lacks($0) }) else { return [] }
        return users.filter { view.has($0) && !$0.isBaseline(of: writer) }.map { Mixture(user: $0, writer: writer) }
    }

    /// Two writers mix with each other; one message, at the second, is enough.
    private func isReported(_ mixture: Mixture, by other: Mixture) -> Bool {
        other.user.id == mixture.writer.id && other.writer.id == mixture.user.id
            && mixture.user.position < other.user.position
    }

    private func problem(_ mixture: Mixture) -> Diagnostic {
        Diagnostic(
            .error, at: mixture.user.settings.position(of: mixture.user.storeField),
            "what \(mixture.writer.called) keeps here is not for all requests that get to \(mixture.user.called); "
                + "give each a store of its own")
    }
}

/// The part of a graph that one kind of request reaches: those with one value of an `audience` header, or the subjects
/// in one arm of an experiment.
private struct RequestView {
    /// The requests with one value of a header.
    private struct Audience: Hashable, Comparable {
        let header: String
        let arm: String

        /// The role of the provider that a strategy chooses for them; nil if the strategy reads another header.
        func arm(of strategy: ComponentOutline) -> String? {
            guard strategy.header == header else { return nil }
            return strategy.arms.contains(arm) ? arm : "otherwise"
        }

        static func < (left: Audience, right: Audience) -> Bool {
            (left.header, left.arm) < (right.header, right.arm)
        }
    }

    /// The ids of all components that such requests can reach.
    private let inside: Set<String>
    /// The ids of all components that requests of any kind can reach from the same start.
    private let all: Set<String>

    /// All views of a graph.
    ///
    /// Every `audience` with the same header makes the same choice, so the requests of an audience are followed from
    /// the root. A store beside an experiment is shared by both arms on purpose, so its subjects are followed from the
    /// experiment only.
    static func all(in graph: [ComponentOutline]) -> [RequestView] {
        let audiences = graph.providers("audience").flatMap { strategy in
            strategy.arms.map { Audience(header: strategy.header, arm: $0) }
        }
        let views = Set(audiences).sorted().map { audience in
            RequestView(from: graph.prefix(1)) { $0.isProvider("audience") ? audience.arm(of: $0) : nil }
        }
        return graph.providers("ab_test").reduce(into: views) { views, test in
            views += test.arms.map { arm in RequestView(from: [test]) { $0.id == test.id ? arm : nil } }
        }
    }

    /// Whether such requests reach a component.
    func has(_ outline: ComponentOutline) -> Bool { inside.contains(outline.id) }

    /// Whether only other requests reach a component.
    func lacks(_ outline: ComponentOutline) -> Bool { all.contains(outline.id) && !has(outline) }

    /// - Parameter arm: the role of the only provider that a component uses; nil if it may use any.
    private init(from start: some Sequence<ComponentOutline>, arm: (ComponentOutline) -> String?) {
        var (inside, open) = (Set<String>(), Array(start))
        all = Set(open.flatMap(\.all).map(\.id))
        while let next = open.popLast() {
            guard inside.insert(next.id).inserted else { continue }
            let arm = arm(next)
            open += next.providers.filter { arm == nil || $0.role == arm }.map(\.outline)
        }
        self.inside = inside
    }
}

extension ComponentOutline {
    /// The store that it reads or writes.
    var store: ComponentOutline? { storeChild?.outline }

    /// The field that names the store.
    fileprivate var storeField: String { storeChild?.role ?? "store" }

    private var storeChild: Child? { children.first { $0.outline.family == "store" } }

    /// Whether this uses the store as the baseline of the catalogue that the writer will save: there is one for all
    /// requests.
    fileprivate func isBaseline(of writer: ComponentOutline) -> Bool {
        isProvider("validated") && writer.all.contains { $0.id == id }
    }

    /// The identity of a store, whatever its label.
    var place: String {
        if isSharedStore, let url = settings.text("url"), let name = settings.text("name") { return "\(name) \(url)" }
        return settings.text("directory") ?? id
    }

    /// The roles of the providers that a strategy chooses from by a request's headers.
    fileprivate var arms: [String] { providers.map(\.role) }

    /// The header that the strategy reads, in lower case.
    fileprivate var header: String { settings.text("header")?.lowercased() ?? "" }
}
