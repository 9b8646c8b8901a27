package import Configuration
internal import Hashing

/// The fingerprint of a part of a graph: replicas with the same one get the same products from the same upstream.
///
/// It is made from the types and settings of the components, in the order of the graph. Left out is what changes no
/// products: times, limits, secrets, stores and sinks, and the components that only decide whether and when the upstream
/// is asked. Settings that equal their defaults count as absent, so that a new version with a new setting shares the
/// catalogue of the version before.
extension ComponentOutline {
    /// 12 hexadecimal digits.
    package var contentFingerprint: String {
        String(SHA256Digest(of: contentText.utf8).hexDigits.prefix(12))
    }

    private static let operational: Set<String> = ["timeout", "connect_timeout", "max_body"]
    /// Settings whose members may be secrets, which are replaced at any time.
    private static let carryingSecrets: Set<String> = ["headers", "parameters"]
    /// The families of components that change products.
    private static let families: Set<String> = [ProviderFamily.noun, PaginationFamily.noun]

    private var contentText: String {
        let parts = children.filter { Self.families.contains($0.outline.family) }
        if passesOn, parts.count == 1, let upstream = parts.first { return upstream.outline.contentText }
        let own = settings.fields.compactMap { field in
            Self.operational.contains(field.name) ? nil : text(of: field, settings.given(field.name))
        }
        let below = parts.map { "\($0.role.debugDescription):\($0.outline.contentText)" }
        return "\(type){\(own.joined(separator: ","))}[\(below.joined(separator: ","))]"
    }

    /// The text of a setting; nil for one that is absent, a default, a secret or a component.
    private func text(of field: FieldSpec, _ node: ConfigNode?) -> String? {
        guard let node, !node.isNull else { return nil }
        switch field.type {
        case .secret, .component, .components, .componentMap: return nil
        case .map where Self.carryingSecrets.contains(field.name):
            let members = (node.entries ?? []).filter { !ConfiguredRequestTemplate.isSecret($0.key) }
            let texts = members.map { "\($0.key.debugDescription):\(Self.text(of: $0.value))" }
            return texts.isEmpty ? nil : "\(field.name)={\(texts.joined(separator: ","))}"
        case .object(let fields), .unlessOff(let fields):
            guard node.entries != nil else { break }
            let inner = fields.compactMap { field in text(of: field, node[field.name]) }
            return inner.isEmpty ? nil : "\(field.name)={\(inner.joined(separator: ","))}"
        default: break
        }
        if case .defaulted(let text) = field.requirement, node.text == text { return nil }
        return "\(field.name)=\(Self.text(of: node))"
    }

    private static func text(of node: ConfigNode) -> String {
        switch node.content {
        case .null: return "~"
        case .scalar(let text, _): return (node.showsValue ? text : node.found).debugDescription
        case .sequence(let elements): return "[\(elements.map(text).joined(separator: ","))]"
        case .mapping(let entries):
            return "{\(entries.map { "\($0.key.debugDescription):\(text(of: $0.value))" }.joined(separator: ","))}"
        }
    }
}
