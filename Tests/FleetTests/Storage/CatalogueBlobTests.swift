import Fleet
import FoundationEssentials
import Hashing
import JSON
import Products
import TestSupport
import Testing

@Suite struct CatalogueBlobTests {
    private static let maxBytes = 1 << 20

    private func snapshot(_ count: Int = 30, origin: ProductsOrigin = .network) throws -> ProductsSnapshot {
        let products = (0..<count).map { number in
            PhysicalProduct(
                details: ProductDetails(
                    id: "p\(number)", name: "Mug \(number) é😀",
                    price: Price(amount: Decimal(1999 + number) / 100, currency: "EUR"), sales: number * 60,
                    attributes: ["sku": .string("\(number * 7919)")]))
        }
        return ProductsSnapshot(
            catalogue: try Catalogue(products: products), fetchedAt: Date(timeIntervalSince1970: 1_769_860_800.125),
            origin: origin)
    }

    private func pointer(to bytes: [UInt8], revision: String, count: Int) -> CataloguePointer {
        CataloguePointer(
            generation: 1, revision: revision, epoch: 1, startedAt: 1, checkedAt: 1, count: count, bytes: bytes.count,
            sha256: SHA256Digest(of: bytes).hexDigits, writer: "a")
    }

    private func pointer(to blob: CatalogueBlob, _ snapshot: ProductsSnapshot) -> CataloguePointer {
        pointer(to: blob.bytes, revision: snapshot.revision, count: snapshot.catalogue.count)
    }

    private func decode(
        _ bytes: [UInt8], _ pointer: CataloguePointer, maxBytes: Int = maxBytes, known: Catalogue? = nil
    ) -> Result<ProductsSnapshot, CatalogueBlob.Fault> {
        Result { () throws(CatalogueBlob.Fault) in
            try CatalogueBlob.decode(bytes, as: pointer, maxBytes: maxBytes, known: known)
        }
    }

    private func fault(_ bytes: [UInt8], _ pointer: CataloguePointer, maxBytes: Int = maxBytes) -> String? {
        switch decode(bytes, pointer, maxBytes: maxBytes) {
        case .success: nil
        case .failure(let fault): "\(fault)"
        }
    }

    @Test func `a snapshot comes back whole, and packs to the same bytes wherever it is from`() throws {
        let snapshot = try snapshot()
        let blob = try #require(try CatalogueBlob(of: snapshot, maxBytes: Self.maxBytes))
        #expect(blob.sha256 == SHA256Digest(of: blob.bytes).hexDigits)
        let pointer = pointer(to: blob, snapshot)
        let back = try decode(blob.bytes, pointer).get()
        #expect(back.catalogue.encoded == snapshot.catalogue.encoded)
        #expect(back.fetchedAt == snapshot.fetchedAt)
        #expect(try CatalogueBlob(of: back, maxBytes: Self.maxBytes) == blob)
        #expect(try decode(blob.bytes, pointer, known: snapshot.catalogue).get().catalogue === snapshot.catalogue)
    }

    @Test func `a blob that is cut off is refused, whether or not the pointer says so`() throws {
        let snapshot = try snapshot()
        let blob = try #require(try CatalogueBlob(of: snapshot, maxBytes: Self.maxBytes))
        for length in stride(from: 0, to: blob.bytes.count, by: 7) {
            let cut = Array(blob.bytes[..<length])
            #expect(fault(cut, pointer(to: blob, snapshot)) == "\(length) bytes differ from the pointer's length")
            #expect(fault(cut, pointer(to: cut, revision: snapshot.revision, count: 30)) != nil)
        }
        #expect(fault(blob.bytes + [0], pointer(to: blob, snapshot)) != nil)
    }

    @Test func `a flipped bit anywhere never gives other products`() throws {
        let snapshot = try snapshot()
        let blob = try #require(try CatalogueBlob(of: snapshot, maxBytes: Self.maxBytes))
        for index in blob.bytes.indices {
            var bytes = blob.bytes
            bytes[index] ^= 1 << UInt8(index % 8)
            #expect(fault(bytes, pointer(to: blob, snapshot)) == "the SHA-256 differs from the pointer's")
            // Forged with its hash: the header of gzip has bytes that mean nothing.
            if case .success(let other) = decode(bytes, pointer(to: bytes, revision: snapshot.revision, count: 30)) {
                #expect(other.catalogue.encoded == snapshot.catalogue.encoded)
            }
        }
    }

    @Test func `what is longer than the limit is neither made nor read`() throws {
        let snapshot = try snapshot()
        let blob = try #require(try CatalogueBlob(of: snapshot, maxBytes: Self.maxBytes))
        let count = blob.bytes.count
        #expect(try CatalogueBlob(of: snapshot, maxBytes: count) == blob)
        #expect(try CatalogueBlob(of: snapshot, maxBytes: count - 1) == nil)
        #expect(fault(blob.bytes, pointer(to: blob, snapshot), maxBytes: count - 1) != nil)
    }

    @Test func `a blob that unpacks to very much is refused before it is unpacked`() throws {
        var bomb = Gzip.packed([UInt8](repeating: 0x20, count: 40 << 20))
        let revision = StorageFixture.hex(1, 32)
        #expect(
            fault(bomb, pointer(to: bomb, revision: revision, count: 1), maxBytes: 64 << 20)
                == "its declared unpacked length is 41943040 bytes")
        // A false length in the trailer: no more than that length is unpacked.
        bomb.replaceSubrange((bomb.count - 4)..., with: [0, 16, 0, 0])
        #expect(fault(bomb, pointer(to: bomb, revision: revision, count: 1), maxBytes: 64 << 20) == "damaged gzip")
    }

    @Test func `bytes behind the blob, and a second one, are refused`() throws {
        let snapshot = try snapshot()
        let blob = try #require(try CatalogueBlob(of: snapshot, maxBytes: Self.maxBytes))
        for more in [[0], [0, 0, 0, 0], blob.bytes] {
            let bytes = blob.bytes + more
            #expect(fault(bytes, pointer(to: bytes, revision: snapshot.revision, count: 30)) == "damaged gzip")
        }
    }

    @Test func `another catalogue than the pointer names is refused`() throws {
        let snapshot = try snapshot()
        let blob = try #require(try CatalogueBlob(of: snapshot, maxBytes: Self.maxBytes))
        let wrong =
            "it holds revision \(snapshot.revision) of 30 products, not the one of the pointer"
        var pointer = pointer(to: blob, snapshot)
        pointer.count = 29
        #expect(fault(blob.bytes, pointer) == wrong)
        pointer.count = 30
        pointer.revision = StorageFixture.hex(1, 32)
        #expect(fault(blob.bytes, pointer) == wrong)
    }

    @Test(arguments: [
        "[{}]", "[{\"a\":1}]", "[{\"id\":7}]", "[{\"type\":\"physical\",\"id\":\"x\"}]", "[1]", "{}", "[",
    ])
    func `forged products with right hashes, a right seal and this version's form are looked at`(products: String) {
        let digest = SHA256Digest(of: products.utf8).hexDigits
        let time = "2026-01-31T12:00:00.123Z"
        let seal = SHA256Digest(of: "1 0 \(time) store 1 \(digest)".utf8).hexDigits.prefix(16)
        let file = """
            {"format":1,"generation":0,"fetchedAt":"\(time)","source":"store","count":1,"sha256":"\(digest)",\
            "seal":"\(seal)","canonical":\(Catalogue.form),"products":\(products)}

            """
        let bytes = Gzip.packed(Array(file.utf8))
        let found = fault(bytes, pointer(to: bytes, revision: String(digest.prefix(32)), count: 1))
        #expect(found?.hasPrefix("damaged: ") == true, "\(found ?? "taken")")
    }
}
