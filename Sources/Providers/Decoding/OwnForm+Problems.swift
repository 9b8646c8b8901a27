internal import JSON

extension OwnForm {
    /// Why nothing can be mapped to a path; nil when something can.
    ///
    /// - Parameter written: the path as the file has it, which is how it is shown.
    static func problem(with path: JSONPath, written: String) -> String? {
        let name = path.components.first ?? ""
        if name == type { return "\"\(type)\" is not mapped here but by the \"type\" of \"decode\"" }
        if name == computed { return "\"\(computed)\" is worked out by Larder and cannot be mapped" }
        guard path.components.count > 1, members[path.description] == nil else { return nil }
        if containers[name] != nil { return "\"\(name)\" has no member \"\(written)\"; it has \(memberList(of: name))" }
        return members[name] == nil ? nil : "\"\(name)\" has no members of its own that could be mapped"
    }

    /// The members of a container: `price.amount and price.currency`.
    static func memberList(of container: String) -> String {
        let names = (containers[container] ?? []).map { "\(container).\($0)" }
        guard let last = names.last, names.count > 1 else { return names.first ?? "none" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
