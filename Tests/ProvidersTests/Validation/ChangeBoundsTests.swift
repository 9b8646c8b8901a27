internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// The bounds of a catalogue's difference from the one before.
struct ChangeBoundsTests {
    private static let prices = ChangeBounds.Prices(factor: makeFactor("3"), share: 0.3)

    /// What the rules say of a catalogue after another: the reason to refuse or hold it.
    private func reason(_ rules: CatalogueRules, from before: [any Product], to after: [any Product]) throws
        -> RefusalReason?
    {
        let old = CatalogueBaseline.Size(of: try Catalogue(products: before), isChecked: true, isKept: true)
        switch rules.verdict(on: try Catalogue(products: after), replacing: old) {
        case .passes: return nil
        case .withheld(let reason, _): return reason
        case .refused(.refused(let reason, _)): return reason
        case .refused(let failure):
            Issue.record("\(failure)")
            return nil
        }
    }

    private func products(
        _ numbers: Range<Int>, _ name: String = "Mug", amount: Decimal = 12, category: ProductCategories? = nil,
        description: String? = nil
    ) -> [PhysicalProduct] {
        numbers.map {
            var product = makeProduct(id: "p\($0)", name: name, amount: amount)
            (product.details.category, product.details.description) = (category, description)
            return product
        }
    }

    private func giftCards(_ numbers: Range<Int>, amount: Decimal = 5) -> [any Product] {
        numbers.map {
            GiftCardProduct(details: makeProduct(id: "g\($0)", amount: amount).details, denominations: [10])
        }
    }

    @Test(arguments: [29, 30])
    func `nothing is beyond a bound that it reaches, and one product more is`(count: Int) throws {
        let before = products(0..<100)
        let isBeyond = count > 29
        func expect(_ bounds: ChangeBounds, _ after: [any Product], _ token: String) throws {
            for rules in [
                CatalogueRules(maxShrink: 1, limits: bounds), CatalogueRules(maxShrink: 1, warnings: bounds),
            ] {
                let reason = try reason(rules, from: before, to: after)
                #expect(reason?.token == (isBeyond ? token : nil))
            }
        }
        try expect(ChangeBounds(growth: 0.29), products(0..<100 + count), "grown")
        try expect(ChangeBounds(added: 0.29), products(count..<100 + count), "added")
        try expect(ChangeBounds(removed: 0.29), products(count..<100 + count), "removed")
        let changed = products(0..<count, "Cup") + products(count..<100)
        try expect(ChangeBounds(changed: 0.29), changed, "changed")
        let raised = products(0..<count, amount: 120) + products(count..<100)
        try expect(
            ChangeBounds(prices: ChangeBounds.Prices(factor: makeFactor("3"), share: 0.29)), raised, "price-change")
    }

    @Test func `another order is no change`() throws {
        let none = ChangeBounds(growth: 0, added: 0, removed: 0, changed: 0, prices: Self.prices)
        let rules = CatalogueRules(limits: none)
        #expect(try reason(rules, from: products(0..<20), to: products(0..<20).reversed()) == nil)
        #expect(try reason(rules, from: products(0..<20), to: products(1..<21))?.token == "removed")
    }

    @Test func `the share of prices is one of the products in both, and the worst are named first`() throws {
        let rules = CatalogueRules(maxShrink: 1, limits: ChangeBounds(prices: Self.prices))
        let after =
            products(0..<2, amount: 120) + products(2..<3, amount: 1200) + products(3..<4, amount: 1)
            + products(4..<5, amount: 0) + products(5..<6, amount: 36) + products(100..<200)
        let message =
            "5 of 6 prices moved by more than the factor 3, above the share 0.3: \"p4\": price 12 EUR -> 0 EUR, "
            + "\"p2\": price 12 EUR -> 1200 EUR, \"p3\": price 12 EUR -> 1 EUR, \"p0\": price 12 EUR -> 120 EUR, "
            + "\"p1\": price 12 EUR -> 120 EUR"
        #expect(try reason(rules, from: products(0..<50), to: after)?.description == message)
    }

    @Test func `the others are named as they come, by what differs, with the value before and the one now`() throws {
        func message(_ bounds: ChangeBounds, _ after: [any Product]) throws -> String? {
            try reason(CatalogueRules(limits: bounds), from: products(0..<3), to: after)?.description
        }
        #expect(
            try message(ChangeBounds(removed: 0.1), products(1..<3))
                == "1 of 3 products are gone, above the share 0.1: \"p0\": price 12 EUR -> none")
        #expect(
            try message(ChangeBounds(added: 0.1), products(0..<4))
                == "1 products are new to the 3 before, above the share 0.1: \"p3\": price none -> 12 EUR")
        #expect(
            try message(ChangeBounds(growth: 0.1), products(0..<4))
                == "there are 1 products more than the 3 before, above the share 0.1")
        #expect(
            try message(ChangeBounds(changed: 0.1), products(0..<2) + products(2..<3, "Cup"))
                == "1 of 3 products changed, above the share 0.1: \"p2\": name \"Mug\" -> \"Cup\"")
    }

    @Test(arguments: [9, 10])
    func `a type that is small beside the others is judged by itself, unless it is too small`(count: Int) throws {
        var rules = CatalogueRules(limits: ChangeBounds(changed: 0.5, prices: Self.prices))
        let (before, after) = (
            products(0..<100) + giftCards(0..<count), products(0..<100) + giftCards(0..<count, amount: 50)
        )
        #expect(try reason(rules, from: before, to: after) == nil)
        rules.each = .type
        let reason = try reason(rules, from: before, to: after)
        #expect(reason?.token == (count < 10 ? nil : "price-change"))
        #expect(reason?.description.hasPrefix("in type \"giftCard\" 10 of 10 prices moved") != false)
    }

    @Test(arguments: [
        (ChangeBounds(growth: 0.5), 0, 30, "grown"), (ChangeBounds(added: 0.5), 0, 30, "added"),
        (ChangeBounds(removed: 0.5), 20, 20, "removed"),
    ])
    func `each bound is judged for each category`(bounds: ChangeBounds, first: Int, count: Int, token: String) throws {
        let others = (1000..<1200).map { makeProduct(id: "o\($0)") }
        let rules = CatalogueRules(limits: bounds, each: .category)
        let before = others + products(0..<20, category: "Cups")
        let reason = try reason(
            rules, from: before, to: others + products(first..<first + count + 1, category: "Cups"))
        #expect(reason?.token == token)
        #expect(reason?.description.hasPrefix("in category \"Cups\" ") == true)
        #expect(try self.reason(rules, from: before, to: before + products(50..<59, category: "Cups")) == nil)
    }

    @Test(arguments: [9, 10])
    func `the prices of a group of which too few are left say nothing`(count: Int) throws {
        let rules = CatalogueRules(maxShrink: 1, limits: ChangeBounds(prices: Self.prices), each: .type)
        let before = products(0..<100) + giftCards(0..<12)
        let reason = try reason(rules, from: before, to: products(0..<100) + giftCards(0..<count, amount: 50))
        #expect(reason?.token == (count < 10 ? nil : "price-change"))
    }

    @Test func `a new group, which there was nothing of before, is judged with the whole only`() throws {
        let rules = CatalogueRules(limits: ChangeBounds(growth: 0.5, added: 0.5), each: .type)
        #expect(try reason(rules, from: products(0..<100), to: products(0..<100) + giftCards(0..<40)) == nil)
    }

    @Test
    func `required members are counted also without a catalogue before, and those that were lost are named`() throws {
        let rules = CatalogueRules(limits: ChangeBounds(complete: 0.95), required: ["description"])
        let (full, none) = (
            products(0..<100, description: "Good"), products(0..<6) + products(6..<100, description: "Good")
        )
        #expect(try reason(rules, from: full, to: products(0..<5) + products(5..<100, description: "Good")) == nil)
        let message =
            "94 of 100 products have description, below the share 0.95: \"p0\": description \"Good\" -> none, "
            + "\"p1\": description \"Good\" -> none, \"p2\": description \"Good\" -> none, "
            + "\"p3\": description \"Good\" -> none, \"p4\": description \"Good\" -> none"
        #expect(try reason(rules, from: full, to: none)?.description == message)
        let first = rules.verdict(on: try Catalogue(products: none), replacing: nil)
        guard case .refused(let failure) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(failure.token == "incomplete")
        #expect(failure.description.contains("\"p0\": description none -> none"))
    }

    @Test func `an empty text is no description`() throws {
        let rules = CatalogueRules(limits: ChangeBounds(complete: 1), required: ["name", "description"])
        let good = products(0..<3, description: "Good")
        #expect(try reason(rules, from: good, to: products(0..<4, description: "Good")) == nil)
        #expect(try reason(rules, from: good, to: products(0..<3, description: ""))?.token == "incomplete")
        #expect(try reason(rules, from: good, to: products(0..<3, "", description: "Good"))?.token == "incomplete")
    }

    @Test func `the counts of a catalogue are the same when they are brought forward from the one before`() throws {
        var random = SeededGenerator(seed: 17)
        var rules = CatalogueRules(limits: ChangeBounds(complete: 0), required: ["description"])
        rules.each = .category
        var products = products(0..<50)
        var catalogue = try Catalogue(products: products)
        var profile = CatalogueProfile(of: catalogue, by: rules)
        for round in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where products.count > 1: products.remove(at: .random(in: products.indices, using: &random))
            case 1: products.append(makeProduct(id: "new\(round)"))
            default:
                let index = Int.random(in: products.indices, using: &random)
                products[index].details.category = ["Cups", "Mugs", nil].randomElement(using: &random) ?? nil
                products[index].details.description = ["", "Good", nil].randomElement(using: &random) ?? nil
            }
            let next = try Catalogue(products: products)
            profile = profile.applying(CatalogueDifference(from: catalogue, to: next))
            let whole = CatalogueProfile(of: next, by: rules)
            #expect(profile.lacking == whole.lacking)
            #expect(profile.groups.filter { $0.value != 0 } == whole.groups)
            catalogue = next
        }
    }
}
