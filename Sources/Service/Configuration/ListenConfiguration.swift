package import Configuration
internal import EventLoop
internal import FileSystem
internal import HTTPServer

/// A place of the config file's `http.listen:`.
package enum ListenPlace: Sendable, Hashable, CustomStringConvertible {
    case tcp(NetworkAddress)
    case unix(path: String, mode: UInt32, owner: UInt32?, group: UInt32?)
    /// Sockets that systemd hands over: those of a name, or all.
    case systemd(name: String?)

    private static let defaultMode: UInt32 = 0o660

    static let unixFields: [FieldSpec] = [
        .required("unix", .string, "the path of the socket, from the root"),
        .defaulted("mode", .string, "\"0660\"", "its permissions, in octal digits"),
        .optional("owner", .string, "its owner, a name or a number"),
        .optional("group", .string, "its group, a name or a number"),
    ]

    package var description: String {
        switch self {
        case .tcp(let address): "\(address)"
        case .unix(let path, _, _, _): "unix:\(path)"
        case .systemd(let name): name.map { "systemd:\($0)" } ?? "systemd"
        }
    }

    var address: NetworkAddress? {
        if case .tcp(let address) = self { address } else { nil }
    }

    /// Reads a place, or a list of them.
    static func all(_ reader: FieldReader, _ field: String) -> [ListenPlace] {
        guard let node = reader.node(field), !node.isBroken else {
            return [.tcp(NetworkAddress(host: "::", port: 8080))]
        }
        let nodes = node.elements ?? [node]
        if nodes.isEmpty || nodes.count > 16 {
            reader.report(.error, at: field, "\"\(field)\": expected from 1 to 16 places, found \(nodes.count)")
        }
        return nodes.compactMap { place($0, reader, field) }
    }

    private static func place(_ node: ConfigNode, _ reader: FieldReader, _ field: String) -> ListenPlace? {
        guard let text = node.text else {
            guard node.entries != nil else { return reader.address(of: node, field).map { .tcp($0) } }
            return unix(reader.reader(for: node, fields: unixFields, what: field))
        }
        if text == "systemd" { return .systemd(name: nil) }
        if text.hasPrefix("systemd:") { return .systemd(name: String(text.dropFirst("systemd:".count))) }
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard isPath(path) else {
                reader.report(
                    .error, at: node.position,
                    "\"\(field)\": expected a path like unix:/run/larder.sock, found \(node.found)")
                return nil
            }
            return .unix(path: path, mode: defaultMode, owner: nil, group: nil)
        }
        return reader.address(of: node, field).map { .tcp($0) }
    }

    /// The most bytes of a path of a socket are 107.
    private static func isPath(_ path: String) -> Bool { path.hasPrefix("/") && path.utf8.count < 108 }

    private static func unix(_ reader: FieldReader) -> ListenPlace? {
        let (path, digits) = (reader.string("unix"), reader.string("mode"))
        if !isPath(path) {
            reader.report(.error, at: "unix", "\"unix\": expected a path of at most 107 bytes like /run/larder.sock")
        }
        let mode = UInt32(digits, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
        if mode == nil {
            reader.report(.error, at: "mode", "\"mode\": expected permissions like \"0660\", found \"\(digits)\"")
        }
        let owner = account(reader, "owner", Accounts.user), group = account(reader, "group", Accounts.group)
        guard reader.isSound, let mode else { return nil }
        return .unix(path: path, mode: mode, owner: owner, group: group)
    }

    private static func account(_ reader: FieldReader, _ field: String, _ number: (String) -> UInt32?) -> UInt32? {
        guard let name = reader.optionalString(field) else { return nil }
        let found = UInt32(name) ?? number(name)
        if found == nil { reader.report(.error, at: field, "\"\(field)\": this machine has no \"\(name)\"") }
        return found
    }

    /// The addresses to listen on; empty where systemd has handed over no such socket.
    func addresses(_ inherited: InheritedSockets) -> [HTTPAddress] {
        switch self {
        case .tcp(let address): [HTTPAddress(host: address.host, port: UInt16(address.port))]
        case .unix(let path, let mode, let owner, let group):
            [.unix(path: path, mode: mode, owner: owner, group: group)]
        case .systemd(let name): inherited.descriptors(named: name).map { .inherited($0) }
        }
    }
}
