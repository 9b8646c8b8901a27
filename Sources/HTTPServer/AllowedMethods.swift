/// The `Allow` field: HEAD goes with GET, and OPTIONS with everything.
enum AllowedMethods {
    static func header(for methods: some Sequence<HTTPMethod>) -> HTTPHeaderBlock {
        var all = Set(methods)
        if all.contains(.get) { all.insert(.head) }
        all.insert(.options)
        let names = HTTPMethod.allCases.filter(all.contains).map(\.description)
        var header = HTTPHeaderBlock()
        header.appendTrusted("Allow", names.joined(separator: ", "))
        return header
    }
}
