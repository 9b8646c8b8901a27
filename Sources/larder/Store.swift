import ArgumentParser

struct Store: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks after the generations in the graph's stores, also while the service runs.",
        discussion: "Run it as the user of the service, so that the service can go on with the files.",
        subcommands: [StoreList.self, StoreShow.self, StoreVerify.self, StoreRollback.self])
}
