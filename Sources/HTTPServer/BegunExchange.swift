/// A request that was answered, or begun to be, before the shim delivers it.
struct BegunExchange {
    let exchange: Exchange
    let request: HTTPRequest
    let answer: HTTPAnswer
}
