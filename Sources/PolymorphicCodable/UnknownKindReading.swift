/// What becomes of a value whose kind its family does not know.
enum UnknownKindReading<Family: PolymorphicFamily> {
    /// It is kept.
    case kept(Family.Base)
    /// It is skipped or rejected.
    case refused(SkippedKind, UnknownKinds)
}
