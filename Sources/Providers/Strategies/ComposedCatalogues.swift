internal import Concurrency
internal import Products

/// The catalogues that a strategy has composed, for each variant of the requests: the one in force, and one composed
/// ahead, which comes into force with the first request for it.
///
/// Each is composed once, off the event loops, however many requests wait for it.
final class ComposedCatalogues<Layers: Hashable & Sendable>: Sendable {
    /// A catalogue, and the layers that it was composed from.
    struct Composed: Sendable {
        let layers: Layers
        let catalogue: Catalogue
    }

    /// Composes a catalogue, possibly from the one in force.
    typealias Compose = @Sendable (_ before: Composed?) throws -> Catalogue

    private final class Composition: Sendable {
        let layers: Layers
        let task: Task<Catalogue, any Error>
        private let kept: Kept

        private final class Kept: Sendable {
            let catalogue = Mutex<Catalogue?>(nil)
        }

        init(_ layers: Layers, after before: Composed?, _ compose: @escaping Compose) {
            let kept = Kept()
            (self.layers, self.kept) = (layers, kept)
            task = Task.detached(executorPreference: BackgroundExecutor.shared) {
                let catalogue = try compose(before)
                kept.catalogue.withLock { $0 = catalogue }
                return catalogue
            }
        }

        /// Nil while it is composed.
        var composed: Composed? {
            kept.catalogue.withLock { $0 }.map { Composed(layers: layers, catalogue: $0) }
        }
    }

    private struct Variant {
        var current: Composition?
        var ahead: Composition?

        /// Brings these layers into force, if they were composed.
        mutating func find(_ layers: Layers) -> Composition? {
            if let ahead, ahead.layers == layers { (current, self.ahead) = (ahead, nil) }
            return current?.layers == layers ? current : nil
        }
    }

    private let variants = Mutex<[VariantKey.Key: Variant]>([:])

    /// Returns the catalogue of these layers, composed unless it was before.
    ///
    /// - Parameter isAhead: whether it is not in force yet.
    /// - Returns: `isNew` if the caller had to wait for it.
    func catalogue(
        of layers: Layers, for key: VariantKey.Key, isAhead: Bool = false, _ compose: @escaping Compose
    ) async throws -> (catalogue: Catalogue, isNew: Bool) {
        let (composition, isNew, replaced) = variants.withLock { variants -> (Composition, Bool, Variant?) in
            let before = variants[key]
            if isAhead, let ahead = before?.ahead, ahead.layers == layers { return (ahead, false, nil) }
            if let found = isAhead ? before?.current : variants[key]?.find(layers), found.layers == layers {
                return (found, found.composed == nil, before)
            }
            let new = Composition(layers, after: before?.current?.composed, compose)
            if isAhead { variants[key, default: Variant()].ahead = new } else { variants[key] = Variant(current: new) }
            return (new, true, before)
        }
        // Replaced catalogues are released outside the lock.
        _ = replaced
        if let composed = composition.composed { return (composed.catalogue, isNew) }
        do {
            return (try await composition.task.value, isNew)
        } catch {
            // It is composed again for the next request.
            variants.withLock { variants in
                if variants[key]?.current === composition { variants[key]?.current = nil }
                if variants[key]?.ahead === composition { variants[key]?.ahead = nil }
            }
            throw error
        }
    }

    /// Returns the catalogue of these layers if it is there, and brings it into force.
    func composed(of layers: Layers, for key: VariantKey.Key) -> Catalogue? {
        let (found, replaced) = variants.withLock { variants -> (Composition?, Variant?) in
            let before = variants[key]
            return (variants[key]?.find(layers), before)
        }
        _ = replaced
        return found?.composed?.catalogue
    }

    /// The catalogues in force.
    var inForce: [(key: VariantKey.Key, composed: Composed)] {
        variants.withLock { variants in
            variants.compactMap { key, variant in variant.current?.composed.map { (key, $0) } }
        }
    }
}

/// The publications that a strategy has joined of those below, until one of these is withdrawn.
final class JoinedPublications: Sendable {
    private struct Joined {
        let parts: [ObjectIdentifier]
        /// How the parts serve.
        let state: [Bool]
        let publication: CataloguePublication
    }

    private struct State {
        var joined: [Joined] = []
        /// The publications whose release was asked for, by their identities.
        var watched: [ObjectIdentifier: CataloguePublication] = [:]
    }

    private let state = Mutex(State())

    /// Returns the publication that joins these parts as they serve now.
    ///
    /// - Parameters:
    ///   - marks: state that distinguishes publications of the same parts.
    ///   - make: joins the parts, unless they were joined before.
    func publication(
        of parts: [LeasedPart], _ marks: [Bool] = [], make: () -> CataloguePublication
    ) -> CataloguePublication {
        let below = parts.map(\.lease.publication)
        let ids = below.map { ObjectIdentifier($0) }
        let (publication, unwatched) = state.withLock { state in
            let unwatched = below.filter { state.watched.updateValue($0, forKey: ObjectIdentifier($0)) == nil }
            if let same = state.joined.first(where: { $0.parts == ids && $0.state == marks }) {
                return (same.publication, unwatched)
            }
            let publication = make()
            state.joined.append(Joined(parts: ids, state: marks, publication: publication))
            return (publication, unwatched)
        }
        for part in unwatched {
            part.whenReleased { [weak self, id = ObjectIdentifier(part)] in self?.release(id) }
        }
        return publication
    }

    /// Withdraws and releases all that was joined of a released publication.
    private func release(_ part: ObjectIdentifier) {
        let (over, watched) = state.withLock { state in
            let over = state.joined.filter { $0.parts.contains(part) }
            state.joined.removeAll { $0.parts.contains(part) }
            return (over, state.watched.removeValue(forKey: part))
        }
        for joined in over {
            joined.publication.withdraw()
            joined.publication.release()
        }
        _ = watched
    }
}
