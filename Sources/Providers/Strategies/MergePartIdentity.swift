internal import Configuration

/// What tells a part of `merge` from others, also after a reload.
enum MergePartIdentity: Sendable {
    /// A label stays with its provider, wherever in the list that is and whatever becomes of its settings.
    case label(String)
    /// Without a label there is the place in the list, where another provider may be after a reload, which must not be
    /// compared with this one; so the part is the same only as long as nothing about it has changed but its secrets.
    case place(ComponentOutline)

    /// The identity of a part that the config describes.
    init(_ part: ComponentOutline) {
        self = part.label == nil ? .place(part.withoutSecrets) : .label(part.id)
    }

    /// Whether a part of another config is this one.
    func isSame(as other: MergePartIdentity) -> Bool {
        switch (self, other) {
        case (.label(let label), .label(let otherLabel)): label == otherLabel
        case (.place(let part), .place(let otherPart)): part.isSame(as: otherPart)
        case (.label, .place), (.place, .label): false
        }
    }
}
