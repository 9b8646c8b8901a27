import Concurrency
import FoundationEssentials
import JSON
import Persistence
import Products
import TestSupport

func makeCatalogue(_ name: String = "Mug", count: Int = 3) throws -> Catalogue {
    try Catalogue(
        products: (0..<count).map { number in
            PhysicalProduct(
                details: ProductDetails(
                    id: "p\(number)", name: "\(name) \(number) é😀",
                    price: Price(amount: Decimal(1999 + number) / 100, currency: "EUR"), sales: number * 60,
                    attributes: ["sku": .string("\"\(number)\""), "big": 9_007_199_254_740_993]))
        })
}

func makeSnapshot(
    _ name: String = "Mug", count: Int = 3, fetchedAt: Double = 1_769_860_800.125, origin: ProductsOrigin = .network
) throws -> ProductsSnapshot {
    ProductsSnapshot(
        catalogue: try makeCatalogue(name, count: count), fetchedAt: Date(timeIntervalSince1970: fetchedAt),
        origin: origin)
}

func makeStore(_ directory: String, keep: Int = 3, log: LogRecorder = LogRecorder()) -> JSONFileProductsStore {
    makeStore(directory, Retention(keep: keep), log: log)
}

func makeStore(
    _ directory: String, _ retention: Retention, log: LogRecorder = LogRecorder(),
    wall: ManualWallClock = ManualWallClock(now: Date(timeIntervalSince1970: 1_771_000_000))
) -> JSONFileProductsStore {
    JSONFileProductsStore(
        name: "disk", directory: directory, retention: retention, logger: log.logger, timeout: .seconds(30),
        wallClock: wall.wallClock)
}

extension JSONFileProductsStore {
    /// What a memory above the store serves for it.
    func served() async throws -> ProductsAnswer {
        if let pinned = await pinned() { return pinned }
        return try await products(for: ProductsRequest())
    }

    /// The snapshot that is stored; nil when there is none.
    func stored() async throws -> ProductsSnapshot? {
        do {
            return try await products(for: ProductsRequest()).snapshot
        } catch ProductsFailure.notStored {
            return nil
        }
    }
}
