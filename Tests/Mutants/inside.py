"""The mutants of what decides about catalogues: freshness, memory, gate, breaker, retention."""

from schemata import Group, Mutant

FRESHNESS = "Products/Freshness.swift"
STATE = "Providers/Memory/MemoryState.swift"
ANSWERS = "Providers/Memory/MemoryState+Answers.swift"
OVERRIDE = "Providers/Memory/CatalogueInForce.swift"
ORDERS = "Providers/Memory/MemoryProductsProviderDecorator+Orders.swift"
RULES = "Providers/Validation/CatalogueRules.swift"
COMPARISON = "Providers/Validation/CatalogueComparison.swift"
GATE = "Providers/Validation/ValidatedProductsProviderDecorator.swift"
BASELINE = "Providers/Validation/CatalogueBaseline.swift"
QUARANTINE = "Providers/Validation/Quarantine.swift"
BREAKER = "Providers/Decorators/CircuitBreakerState.swift"
RETRY = "Providers/Decorators/RetryPolicy.swift"
BACKOFF = "Concurrency/Backoff.swift"
RETENTION = "Persistence/Generations/Retention.swift"

freshness = Group(
    "freshness", r"ProductsTests\.Freshness|ProvidersTests\.(Memory|Freshness)",
    r"ProductsTests\.Freshness|ProvidersTests|OperatorsAPITests\.(Health|Snapshot)|ServingTests\.Cache(Control|Status)",
    [
        Mutant(FRESHNESS, "if «time > servableUntil => time >= servableUntil» { return .expired }"),
        Mutant(OVERRIDE, "guard «lookup.number > endedLookup => true», lookup.found != nil || override == nil || removes else"),
        Mutant(OVERRIDE, "isRefreshDue: isDue && «memory.holdOff.remaining(at: uptime) == nil => true»)"),
        Mutant(FRESHNESS, "if «isOffline => false» { return .offline }"),
        Mutant(FRESHNESS, "return «time > freshUntil => time >= freshUntil» ? .stale : .fresh"),
        Mutant(FRESHNESS, "time <= freshUntil + «revalidatingSeconds => failingSeconds»"),
        Mutant(FRESHNESS, "«mayIdle && time > freshUntil && !isOffline => mayIdle && time > freshUntil»"),
        Mutant(FRESHNESS, "«mayIdle && time > freshUntil && !isOffline => time > freshUntil && !isOffline»"),
        Mutant(FRESHNESS, "«time > freshUntil && !isIdle(at: time) => time > freshUntil»"),
        Mutant(FRESHNESS, "state(at: time) != .expired || !«(isOffline || isLate) => isOffline»"),
        Mutant(ANSWERS, "snapshot.checkedAt.advanced(by: policy.ttl + «policy.staleWhileRevalidate => .zero»))"),
    ])

memory = Group(
    "memory", r"ProvidersTests\.(Memory|UpstreamTrouble|BackgroundRefresh)", "ProvidersTests",
    [
        Mutant(STATE, "return .answer(«serving.isStale ? stale : fresh => fresh», refreshing:"),
        Mutant(STATE, "Serving(isStale: false, isRefreshDue: «isDue => false»)"),
        Mutant(STATE, "case .stale where «isLate => false»:"),
        Mutant(STATE, "guard «failure == nil => true», snapshot != nil, !isDue else { return .zero }"),
        Mutant(STATE, "guard failure == nil, snapshot != nil, «!isDue => true» else { return .zero }"),
        Mutant(STATE, "«if case .circuitOpen = cause, let failures { return failures } => »"),
        Mutant(STATE, "isDue = false\n        «isLate = false => »\n        prepareAnswers()"),
        Mutant(STATE, "guard let cause else { return «holdOff.succeed() => ()» }"),
        Mutant(STATE, "return «snapshot.map { !isExpired($0, wall, uptime) } ?? false => snapshot != nil»"),
        Mutant(STATE, "«uptime - failedAt > policy.longestHoldOff => uptime - failedAt >= policy.longestHoldOff» {"),
        Mutant(STATE, "if !mayRevalidate, «!isPaused => true», !isLate,"),
        Mutant(STATE, "if !mayRevalidate, !isPaused, «!isLate => true»,"),
        Mutant(STATE, "return CataloguePublication.Serving(isStale: true, isRefreshDue: «!isPaused => true»)"),
        Mutant(STATE, "«max(wall, snapshot.checkedAt.advanced(by: uptime - takenAt)) => wall»"),
        Mutant(ANSWERS, "if isNewBorrowed, !isBorrowed { return «isExpired(old, wall, uptime) => true» }"),
        Mutant(ANSWERS, "if «isBorrowed => false», !isNewBorrowed { return wall"),
        Mutant(ANSWERS, "!isNewBorrowed { return «wall <= servableUntil(new) => true» }"),
        Mutant(ANSWERS, "if new.origin == .bundled, old.origin != .bundled { return «isExpired(old, wall, uptime) => "
               "true» }"),
        Mutant(ANSWERS, "return new.fetchedAt.timeIntervalSince(old.fetchedAt) > «Self.timeResolution => 0»"),
        Mutant(ANSWERS, "if «wall > servableUntil(new) => false» { return isExpired(old, wall, uptime) }"),
        Mutant(ANSWERS, "answer.failure == nil, «answer.snapshot.origin == .network => true» { return true }"),
        Mutant(ANSWERS, "«isLate || freshness.isOffline => freshness.isOffline»"),
        Mutant(STATE, "standing = «answer.standing => .confirmed»"),
        Mutant(ANSWERS, "mayIdle: «!policy.refreshesInBackground && !isLate => !policy.refreshesInBackground»"),
        Mutant("Providers/Memory/MemoryRefresh.swift", "if «!from.isServing => false» { return (.notice,"),
        Mutant(ORDERS, "if «isLesser => false» { continue }"),
        Mutant(ORDERS, "if starts, «!order.isForced => true», let pause"),
    ])

gate = Group(
    "gate",
    r"ProvidersTests\.(Catalogue|ChangeBounds|Held|Quarantine|Refused|Validated)", "ProvidersTests|ServiceTests.Order",
    [
        Mutant(COMPARISON, "total > 0 && «Double(count) / Double(total) > share => "
               "Double(count) / Double(total) >= share»"),
        Mutant(COMPARISON, "let known = «part.total - part.removed.count => part.total»"),
        Mutant(COMPARISON, "part.group == nil || «known >= ProductGroup.floor => true»"),
        Mutant(COMPARISON, "where «count >= ProductGroup.floor => true» {"),
        Mutant(COMPARISON, "new.count > 0, «Double(complete) / Double(new.count) < share => "
               "Double(complete) / Double(new.count) <= share» else"),
        Mutant(RULES, "«Double(before - count) >= Double(before) * maxShrink => "
               "Double(before - count) > Double(before) * maxShrink»"),
        Mutant(RULES, "if «count < minimum => count <= minimum» {"),
        Mutant(RULES, "if let changes = new.changes, «changes.revision == accepted => accepted != nil» {"),
        Mutant(RULES, "«if product.hasNegativeDenomination { throw .refused(.negativeDenomination(id: id, "
               "position: position)) } => »"),
        Mutant(RULES, "if «outer.isEmpty => true», let minimumPrice,"),
        Mutant(BASELINE, "for key in state.sizes.keys { «state.sizes[key]?.isChecked = false => » }"),
        Mutant(QUARANTINE, "withheldUntil != nil && «uptime - firstSeen >= hold => uptime - firstSeen > hold»"),
        Mutant(QUARANTINE, "return «old?.revision != refusal.revision || old?.failure.token != refusal.failure.token => "
               "old?.revision != refusal.revision»"),
        Mutant(QUARANTINE, "if «isNew => true», accepted?.key == key { accepted = nil }"),
        Mutant(QUARANTINE, "if isNew, «accepted?.key == key => true» { accepted = nil }"),
        Mutant(GATE, "if let first, «first.baseline == old?.revision => true», first.rules"),
        Mutant(GATE, "«first.rules == rules => true», !isReleased(first) {"),
        Mutant(GATE, "first.rules == rules, «!isReleased(first) => true» {"),
        Mutant(GATE, "«if first?.withheldUntil == nil { first = nil } => »"),
        Mutant(GATE, "if let withheld, «first == nil => true», goesOn(",
               equivalent="what is held and comes again is in quarantine, and goes on from itself"),
        Mutant(BASELINE, "guard answer.failure == nil || «(isStored && state.sizes[key] == nil) => isStored» else"),
        Mutant(BASELINE, "let isStored = answer.snapshot.origin == .store && «answer.standing != .forOthers => true»"),
    ])

breaker = Group(
    "breaker", r"ProvidersTests\.(CircuitBreaker|Retry)|ConcurrencyTests\.Backoff", "ProvidersTests|ConcurrencyTests",
    [
        Mutant(BREAKER, "if «failuresInARow >= policy.failures => failuresInARow > policy.failures» {"),
        Mutant(BREAKER, "return «calls >= CircuitBreakerPolicy.fewestCalls => calls > CircuitBreakerPolicy.fewestCalls»"),
        Mutant(BREAKER, "&& «Double(failureCount(at: now)) >= Double(calls) * policy.ratio => "
               "Double(failureCount(at: now)) > Double(calls) * policy.ratio»"),
        Mutant(BREAKER, "guard «ticket.period == period => true» else"),
        Mutant(BREAKER, "«pause.succeed() => »"),
        Mutant(BREAKER, "pause.succeed()\n        «calls = SlidingCount(seconds: CircuitBreakerPolicy.window) => »"),
        Mutant(BREAKER, "«period += 1 => »"),
        Mutant(BREAKER, "failuresInARow = «failed ? failuresInARow + 1 : 0 => "
               "failed ? failuresInARow + 1 : failuresInARow»"),
        Mutant(RETRY, "guard «number < attempts => number <= attempts», case"),
        Mutant(RETRY, "guard «named <= cap => true» else { return nil }"),
        Mutant(RETRY, "guard «left(at: now) > 0 => left(at: now) >= 0» else"),
        Mutant(RETRY, "«status >= 500 || status == 429 => status >= 500» ?"),
        Mutant(BACKOFF, "guard let end, «now < end => now <= end» else"),
        Mutant(BACKOFF, "min(cap, «max(backoff.pause(after: failures), retryAfter ?? .zero) => "
               "retryAfter ?? backoff.pause(after: failures)»)"),
    ])

retention = Group(
    "retention", r"PersistenceTests\.Retention", "PersistenceTests",
    [
        Mutant(RETENTION, "if period > previous + «1 => 2» { kept.insert(places.oldest) }"),
        Mutant(RETENTION, "generation.time.map { «$0 >= start => $0 > start» }"),
        Mutant(RETENTION, "where «period >= first => period > first» {"),
        Mutant(RETENTION, "var previous = «first - 1 => first»"),
        Mutant(RETENTION, "where «size > maxBytes => size >= maxBytes» && index"),
        Mutant(RETENTION, "size > maxBytes && «index >= protected => index > protected» &&"),
        Mutant(RETENTION, "index >= protected && «!generations[index].isFixed => true» {"),
        Mutant(RETENTION, "if «generation.isFixed || isYoung => isYoung» {"),
        Mutant(RETENTION, "kept.insert(«places.newest => places.oldest»)\n"),
        Mutant(RETENTION, "moment.timeIntervalSince1970 / length).rounded(«.down => .toNearestOrAwayFromZero»)"),
    ])

GROUPS = [freshness, memory, gate, breaker, retention]
