internal import Configuration

/// How long each provider of a graph may take to answer or fail, by what the config says about time.
///
/// A lower bound of the longest wait: catalogues on many pages and the pauses between tries take longer.
struct LongestWait {
    private let waits: [String: Duration]

    init(_ graph: LintedGraph) {
        waits = graph.bottomUp { outline, below in
            min(Self.wait(outline, below.map(\.value)), Self.longest)
        }
    }

    /// The wait for one provider.
    func callAsFunction(_ outline: ComponentOutline) -> Duration { waits[outline.id] ?? .zero }

    /// Numbers beyond all sense must not overflow.
    private static let longest: Duration = .seconds(1_000_000_000)

    private static func wait(_ outline: ComponentOutline, _ below: [Duration]) -> Duration {
        let longest = below.max() ?? .zero
        let settings = outline.settings
        switch outline.type {
        case "http": return settings.duration("timeout") ?? .zero
        case "timeout": return min(longest, settings.duration("after") ?? longest)
        case "retry": return longest * Self.tries(of: outline)
        case "fault": return longest + min(settings.duration("delay") ?? .zero, Self.longest)
        case "fallback", "ab_test": return below.reduce(.zero, +)
        default: return longest
        }
    }

    /// How often a `retry` tries.
    static func tries(of retry: ComponentOutline) -> Int {
        min(max(1, retry.settings.integer("attempts") ?? 1), 10)
    }
}
