extension ComponentResolver {
    /// A reference to nothing, or to something of another family.
    func reportDangling<F: ComponentFamily>(_ label: String, _ node: ConfigNode, _ family: F.Type) {
        if let other = labels.definitions(label: label).first {
            noteMentions(in: node)
            let found = WordList.article(other.family.noun)
            let message = "\(node.quoted) is \(found), \(WordList.article(F.noun)) is wanted here"
            return log.error(at: node.position, message)
        }
        let meant = ClosestName.to(label, among: labels.labels(section: F.section))
        if let meant { noteMentions(in: ConfigNode(.scalar(text: meant, isPlain: true), at: node.position)) }
        let family = registry.family(noun: F.noun)
        let suggestion = family?.component(type: label) == nil ? meant : "{ type: \(label) }"
        guard suggestion != nil || node.template != nil || family?.isOfSecrets != true else {
            return log.error(
                at: node.position, "no \(F.noun) has this text as its label; it is not shown, since it may be a secret")
        }
        log.error(at: node.position, "no \(F.noun) is labelled \(node.quoted)", suggestion: suggestion)
    }

    /// A type that the family does not have.
    func reportUnknownType(_ name: String, _ node: ConfigNode, _ family: RegisteredFamily) {
        if let other = registry.families(withType: name).first {
            let found = WordList.article(other.noun)
            let message = "type \(node.quoted) is \(found), \(WordList.article(family.noun)) is wanted here"
            return log.error(at: node.position, message)
        }
        let types = family.components.map(\.type)
        let meant = ClosestName.to(name, among: types)
        let list = meant == nil ? "; the types of \(family.noun) are \(WordList.enumeration(types))" : ""
        log.error(at: node.position, "unknown \(family.noun) type \(node.quoted)\(list)", suggestion: meant)
    }
}
