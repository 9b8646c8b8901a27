/// A request that a handler saw at the first glance and whose answer could not be sent then: it has to be waited for, or
/// its connection ends with it. It goes on when the shim delivers the request, so that no handler is asked twice.
struct BegunExchange {
    let exchange: Exchange
    let request: HTTPRequest
    let answer: HTTPAnswer
}
