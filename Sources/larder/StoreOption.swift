import ArgumentParser

/// The option of the store commands: which store.
struct StoreOption: ParsableArguments {
    @Option(name: .long, help: "The store, by the name that metrics have for it. Needed where the graph has several.")
    var store: String?
}
