public import ArgumentParser
public import Service

struct Store: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks after the generations in the graph's stores, also while the service runs.",
        discussion: "Run it as the user of the service, so that the service can go on with the files.",
        subcommands: [StoreList.self, StoreShow.self, StoreVerify.self, StoreRollback.self])
}

/// The option of the store commands: which store.
struct StoreOption: ParsableArguments {
    @Option(name: .long, help: "The store, by the name that metrics have for it. Needed where the graph has several.")
    var store: String?
}

extension StoreFormat: ExpressibleByArgument {}
