/// A product as Shopify writes it: what costs something are its variants, at least one, and they cost strings.
struct ShopifyItem {
    let ware: Ware

    /// Of a size that a 32-bit number cannot hold.
    var id: Int { 7_632_910_392 + ware.number }

    var json: String {
        #"""
        {
          "id": \#(id),
          "title": \#(ware.name.json),
          "body_html": \#(ware.number.isMultiple(of: 3) ? "null" : "\"<p>Number \(ware.number).</p>\""),
          "vendor": "Apple",
          "product_type": "Cult Products",
          "created_at": "2025-10-02T11:29:59-05:00",
          "handle": "ware-\#(ware.number)",
          "updated_at": "2025-10-02T11:29:59-05:00",
          "published_at": \#(ware.isHidden ? "null" : "\"2008-09-25T20:00:00-04:00\""),
          "template_suffix": null,
          "published_scope": "web",
          "tags": "",
          "status": "\#(ware.isHidden ? "draft" : "active")",
          "admin_graphql_api_id": "gid://shopify/Product/\#(id)",
          "variants": [\#(variant(1, "Black", ware.cents ?? 0)), \#(variant(2, "Pink", 99_999))],
          "options": [
            {"id": \#(id + 2), "product_id": \#(id), "name": "Title", "position": 1, "values": ["Black", "Pink"]}
          ],
          "images": [\#(image ?? "")],
          "image": \#(image ?? "null")
        }
        """#
    }

    private func variant(_ position: Int, _ title: String, _ cents: Int) -> String {
        #"""
        {
          "id": \#(id * 10 + position),
          "product_id": \#(id),
          "title": "\#(title)",
          "price": "\#(cents.amount())",
          "position": \#(position),
          "inventory_policy": "continue",
          "compare_at_price": null,
          "option1": "\#(title)",
          "option2": null,
          "option3": null,
          "created_at": "2025-10-02T11:29:59-05:00",
          "updated_at": "2025-10-02T11:29:59-05:00",
          "taxable": true,
          "barcode": "1234_\#(position)",
          "fulfillment_service": "manual",
          "grams": 567,
          "inventory_management": "shopify",
          "requires_shipping": \#(!ware.isDigital),
          "sku": "WARE\#(ware.number)-\#(position)",
          "weight": 1.25,
          "weight_unit": "lb",
          "inventory_item_id": \#(id * 10 + position),
          "inventory_quantity": 13,
          "old_inventory_quantity": 13,
          "presentment_prices": [
            {"price": {"amount": "\#(cents.amount())", "currency_code": "USD"}, "compare_at_price": null}
          ],
          "admin_graphql_api_id": "gid://shopify/ProductVariant/\#(id * 10 + position)",
          "image_id": null
        }
        """#
    }

    private var image: String? {
        ware.picture.map { picture in
            #"""
            {
              "id": \#(id + 1),
              "alt": null,
              "position": 1,
              "product_id": \#(id),
              "created_at": "2025-10-02T11:29:59-05:00",
              "updated_at": "2025-10-02T11:29:59-05:00",
              "admin_graphql_api_id": "gid://shopify/MediaImage/\#(id + 1)",
              "width": 123,
              "height": 456,
              "src": \#(picture.json),
              "variant_ids": []
            }
            """#
        }
    }
}
