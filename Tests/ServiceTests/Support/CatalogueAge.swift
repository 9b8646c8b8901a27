import Networking

extension HTTPHeaders {
    /// The age of the catalogue in seconds, as the last entry of `Cache-Status` states it.
    var catalogueAge: String? {
        let entry = self["Cache-Status"]?.split(separator: ", ").last { $0.hasPrefix("larder;") }
        let age = entry?.split(separator: "; ").first { $0.hasPrefix("age=") }
        return age.map { String($0.dropFirst(4)) }
    }

    /// `Cache-Status` without the ages.
    var cacheStatus: String? {
        self["Cache-Status"]?.replacing(#/; age=[0-9]+/#, with: "")
    }
}
