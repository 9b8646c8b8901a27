import CatalogueFuzzing

/// Checks an input of libFuzzer; `make fuzz` builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do {
        try unsafe CatalogueProperties.check(UnsafeBufferPointer(start: bytes, count: count))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
