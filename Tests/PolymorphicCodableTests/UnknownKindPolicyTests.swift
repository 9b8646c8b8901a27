import PolymorphicCodable
import TestSupport
import Testing

struct UnknownKindPolicyTests {
    private static let nested = #"""
        [{"type":"x"},{"type":"group","shapes":[{"type":"point"},{"type":"y","shapes":[{"type":"z"}]},{"type":"point"}],
        "named":{"a":{"type":"z"},"b":{"type":"point"}},"background":{"type":"v"},"owner":{"kind":"emu","name":"E"}},
        {"type":"point"}]
        """#

    @Test func `has the words that a configuration would use`() {
        #expect(UnknownKindPolicy.allCases.map(\.rawValue) == ["reject", "skip", "keep"])
    }

    @Test(arguments: Codec.allCases)
    func `skipped values are left out and reported, at any depth`(codec: Codec) throws {
        let skipped = Shared<[SkippedKind]>([])
        let read = try codec.decode(
            Polymorphic<[ShapeKind]>.self, json: Self.nested, unknown: skipping(into: skipped))
        #expect(read.wrappedValue.count == 2)
        let group = try #require(read.wrappedValue.first as? Group)
        #expect(group == Group([Point(), Point()], named: ["b": Point()]))
        #expect(read.wrappedValue.last is Point)
        let known = #""circle", "square", "point", "label", "group", "newtype", "stray""#
        #expect(
            skipped.withLock { $0 }.map(\.description) == [
                "[0].type: unknown kind \"x\"; known are \(known)",
                "[1].shapes[1].type: unknown kind \"y\"; known are \(known)",
                "[1].named.a.type: unknown kind \"z\"; known are \(known)",
                "[1].background.type: unknown kind \"v\"; known are \(known)",
                #"[1].owner.kind: unknown kind "emu"; known are "animal", "pet", "cat", "dog""#,
            ])
        #expect(skipped.withLock { $0 }.map(\.kind) == ["x", "y", "z", "v", "emu"])
    }

    @Test(arguments: Codec.allCases)
    func `a value that is required is rejected where it would be skipped`(codec: Codec) throws {
        let skipped = Shared<[SkippedKind]>([])
        let unknown = skipping(into: skipped)
        let json = #"{"shape":{"type":"x"},"shapes":[],"named":{}}"#
        let error = #expect(throws: (any Error).self) { try codec.decode(Drawing.self, json: json, unknown: unknown) }
        #expect(error.flatMap { PolymorphicDecodingError(in: $0) }?.codingPath.map(\.stringValue) == ["shape", "type"])
        #expect(skipped.withLock { $0 }.isEmpty)
    }

    @Test(arguments: Codec.allCases)
    func `a root may be skipped where none will do`(codec: Codec) throws {
        let skipped = Shared<[SkippedKind]>([])
        let unknown = skipping(into: skipped)
        let json = #"{"type":"x"}"#
        #expect(try codec.decode(Polymorphic<ShapeKind?>.self, json: json, unknown: unknown).wrappedValue == nil)
        #expect(skipped.withLock { $0 }.map(\.kind) == ["x"])
        let point = try codec.decode(Polymorphic<ShapeKind?>.self, json: #"{"type":"point"}"#, unknown: unknown)
        #expect(point.wrappedValue is Point)
    }

    @Test(arguments: Codec.allCases)
    func `synthesised properties leave out what is skipped, and are nil where they may be`(codec: Codec) throws {
        let skipped = Shared<[SkippedKind]>([])
        let json = #"""
            {"frame":{"type":"point"},"shapes":[{"type":"a"}],"named":{"x":{"type":"b"}},"background":{"type":"c"},
            "layers":{"y":[{"type":"d"},{"type":"point"}]},"holes":[null,{"type":"e"},null],"pet":{"kind":"f"},
            "owner":{"kind":"animal","name":"N"},"herd":[{"kind":"g"}],"stalls":{"z":{"kind":"h"}}}
            """#
        let sketch = try codec.decode(Sketch.self, json: json, unknown: skipping(into: skipped))
        #expect(sketch.shapes.isEmpty && sketch.named.isEmpty && sketch.background == nil && sketch.pet == nil)
        #expect(sketch.layers?["y"]?.count == 1 && sketch.holes?.count == 2)
        #expect(sketch.herd.isEmpty && sketch.stalls.isEmpty)
        #expect(skipped.withLock { $0 }.map(\.kind).sorted() == ["a", "b", "c", "d", "e", "f", "g", "h"])
    }

    @Test(arguments: Codec.allCases)
    func `only an unknown kind is skipped or kept: none, and one that is no text, are errors`(codec: Codec) {
        for policy in UnknownKindPolicy.allCases {
            for json in [#"[{"a":1}]"#, #"[{"type":null}]"#, #"[{"type":[]}]"#] {
                let unknown = UnknownKinds(policy)
                #expect(throws: (any Error).self) {
                    try codec.decode(Polymorphic<[ShapeKind]>.self, json: json, unknown: unknown)
                }
            }
        }
    }

    @Test(arguments: UnknownKindPolicy.allCases)
    func `a known kind that does not decode is never skipped or kept`(policy: UnknownKindPolicy) {
        #expect(throws: DecodingError.self) {
            try Codec.json.decode(
                Polymorphic<[ShapeKind]>.self, json: #"[{"type":"circle"}]"#, unknown: UnknownKinds(policy))
        }
    }

    @Test func `a family that keeps none rejects, and one that keeps the wrong type says so`() {
        let json = #"[{"type":"axe","name":"n"}]"#
        let tool = #expect(throws: PolymorphicDecodingError.self) {
            try Codec.json.decode(Polymorphic<[ToolKind]>.self, json: json, unknown: UnknownKinds(.keep))
        }
        #expect(
            tool?.description
                == #"[0].type: unknown kind "axe"; known are "hammer", "mallet", "saw", "number", "row""#)
        let shape = #expect(throws: PolymorphicDecodingError.self) {
            try Codec.json.decode(Polymorphic<[UnkeepableKind]>.self, json: json, unknown: UnknownKinds(.keep))
        }
        #expect(shape?.description == #"[0]: the type of kind "axe", Animal, is not Shape"#)
    }

    private func skipping(into skipped: Shared<[SkippedKind]>) -> UnknownKinds {
        UnknownKinds(.skip) { kind in skipped.withLock { $0.append(kind) } }
    }
}
