internal import Logging
internal import Products

/// What a refresh changed for whoever watches.
struct MemoryTransition: Sendable {
    let from: MemoryCondition
    let to: MemoryCondition
    /// Why the upstream fails; nil if it does not.
    let failure: ProductsFailure?

    /// What the log says of it; nil where that is no news.
    var news: (level: Logger.Level, message: Logger.Message)? {
        switch (from, to) {
        case (.well, .well), (.offline, .offline), (.stale, .stale), (.empty, .empty), (.stale, .offline): nil
        case (_, .well): (.notice, "upstream recovered")
        case (.well, .empty): (.error, "upstream fails, nothing to serve")
        case (.well, .stale): (.warning, "upstream fails, the last good catalogue is stale")
        case (.well, _): (.warning, "upstream fails, serving the last good catalogue")
        case (.offline, .stale): (.warning, "upstream still fails, the last good catalogue is stale")
        case (_, .empty): (.error, "upstream still fails, the last good catalogue is too old to be served")
        case (.empty, _): (.notice, "upstream still fails, there is a catalogue to serve again")
        }
    }
}
