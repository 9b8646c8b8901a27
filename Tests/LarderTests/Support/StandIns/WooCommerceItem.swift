/// A product as WooCommerce writes it: amounts and measures as strings, which are empty where there is nothing to say.
struct WooCommerceItem {
    let ware: Ware

    var json: String {
        #"""
        {
          "id": \#(ware.number + 700),
          "name": \#(ware.name.json),
          "slug": "ware-\#(ware.number)",
          "permalink": "https://shop.example/product/ware-\#(ware.number)/",
          "date_created": "2017-03-23T17:01:14",
          "date_created_gmt": "2017-03-23T20:01:14",
          "date_modified": "2017-03-23T17:01:14",
          "date_modified_gmt": "2017-03-23T20:01:14",
          "type": "\#(ware.cents == nil ? "variable" : "simple")",
          "status": "\#(ware.isHidden ? "draft" : "publish")",
          "featured": false,
          "catalog_visibility": "visible",
          "description": "<p>What number \#(ware.number) is good for.</p>\n",
          "short_description": "<p>Good.</p>\n",
          "sku": "",
          "price": "\#(price)",
          "regular_price": "\#(price)",
          "sale_price": "",
          "date_on_sale_from": null,
          "date_on_sale_from_gmt": null,
          "date_on_sale_to": null,
          "date_on_sale_to_gmt": null,
          "price_html": "<span class=\"amount\">\#(price)</span>",
          "on_sale": false,
          "purchasable": \#(ware.cents != nil),
          "total_sales": \#(ware.sales),
          "virtual": \#(ware.isDigital),
          "downloadable": \#(ware.isDigital),
          "downloads": \#(downloads),
          "download_limit": -1,
          "download_expiry": -1,
          "external_url": "",
          "button_text": "",
          "tax_status": "taxable",
          "tax_class": "",
          "manage_stock": false,
          "stock_quantity": null,
          "stock_status": "instock",
          "backorders": "no",
          "backorders_allowed": false,
          "backordered": false,
          "sold_individually": false,
          "weight": "\#(measured ? "1.25" : "")",
          "dimensions": {
            "length": "\#(measured ? "30" : "")",
            "width": "\#(hasWidth ? "20.5" : "")",
            "height": "\#(measured ? "10" : "")"
          },
          "shipping_required": \#(!ware.isDigital),
          "shipping_taxable": \#(!ware.isDigital),
          "shipping_class": "",
          "shipping_class_id": 0,
          "reviews_allowed": true,
          "average_rating": "0.00",
          "rating_count": 0,
          "related_ids": [53, 40, 56],
          "upsell_ids": [],
          "cross_sell_ids": [],
          "parent_id": 0,
          "purchase_note": "The voucher is \#(ware.number).",
          "categories": [
            {"id": 9, "name": "Clothing", "slug": "clothing"},
            {"id": 14, "name": "T-shirts", "slug": "t-shirts"}
          ],
          "tags": [],
          "images": \#(images),
          "attributes": [
            {
              "id": 6,
              "name": "Color",
              "position": 0,
              "visible": false,
              "variation": true,
              "options": ["Black", "Green"]
            }
          ],
          "default_attributes": [{"id": 6, "name": "Color", "option": "black"}],
          "variations": [],
          "grouped_products": [],
          "menu_order": 0,
          "meta_data": [{"id": 5, "key": "_purchase_price", "value": "0.01"}],
          "_links": {
            "self": [{"href": "https://shop.example/wp-json/wc/v3/products/\#(ware.number + 700)"}],
            "collection": [{"href": "https://shop.example/wp-json/wc/v3/products"}]
          }
        }
        """#
    }

    private var price: String { ware.cents?.amount() ?? "" }

    /// Whether length, width and height are all there.
    var isMeasured: Bool { hasWidth && measured }

    private var hasWidth: Bool { ware.number.isMultiple(of: 2) }

    private var measured: Bool { !ware.isDigital && !ware.number.isMultiple(of: 3) }

    private var downloads: String {
        ware.isDigital ? #"[{"id": "a1", "name": "file", "file": "https://shop.example/\#(ware.number).zip"}]"# : "[]"
    }

    private var images: String {
        guard let picture = ware.picture else { return "[]" }
        return #"""
            [
              {
                "id": 792,
                "date_created": "2017-03-23T14:01:13",
                "date_created_gmt": "2017-03-23T20:01:13",
                "date_modified": "2017-03-23T14:01:13",
                "date_modified_gmt": "2017-03-23T20:01:13",
                "src": \#(picture.json),
                "name": "",
                "alt": ""
              }
            ]
            """#
    }
}
