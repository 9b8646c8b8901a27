import ArgumentParser
import Configuration

/// A host and a port on the command line.
struct ListenAddress: ExpressibleByArgument {
    let address: NetworkAddress

    static let practice = ListenAddress(address: NetworkAddress(host: "127.0.0.1", port: 8081))

    init(address: NetworkAddress) {
        self.address = address
    }

    init?(argument: String) {
        guard let address = NetworkAddress(argument) else { return nil }
        self.address = address
    }

    var defaultValueDescription: String { "\(address)" }
}
