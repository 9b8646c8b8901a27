/// A product as BigCommerce writes it: amounts as numbers, measures beside one another, categories by number only.
struct BigCommerceItem {
    let ware: Ware
    let hasImage: Bool

    var json: String {
        #"""
        {
          "id": \#(ware.number + 170),
          "name": \#(ware.name.json),
          "type": "\#(ware.isDigital ? "digital" : "physical")",
          "sku": "",
          "description": "<p>What number \#(ware.number) is good for.</p>",
          "weight": \#(ware.isDigital ? "0" : "1.5"),
          "width": 0,
          "depth": 12.25,
          "height": 0,
          "price": \#(price),
          "cost_price": 0.01,
          "retail_price": 10,
          "sale_price": 0,
          "map_price": 0,
          "tax_class_id": 0,
          "product_tax_code": "",
          "calculated_price": \#(price),
          "categories": [23, 21],
          "brand_id": 36,
          "option_set_id": null,
          "option_set_display": "right",
          "inventory_level": 0,
          "inventory_warning_level": 0,
          "inventory_tracking": "none",
          "reviews_rating_sum": 0,
          "reviews_count": 0,
          "total_sold": \#(ware.sales),
          "fixed_cost_shipping_price": 0,
          "is_free_shipping": false,
          "is_visible": \#(!ware.isHidden),
          "is_featured": false,
          "related_products": [-1],
          "warranty": "",
          "bin_picking_number": "B-7",
          "layout_file": "product.html",
          "upc": "",
          "mpn": "",
          "gtin": "",
          "search_keywords": "shelf, food",
          "availability": "available",
          "availability_description": "",
          "gift_wrapping_options_type": "any",
          "gift_wrapping_options_list": [],
          "sort_order": 0,
          "condition": "New",
          "is_condition_shown": false,
          "order_quantity_minimum": 0,
          "order_quantity_maximum": 0,
          "page_title": "",
          "meta_keywords": [],
          "meta_description": "",
          "date_created": "2018-08-15T14:48:46+00:00",
          "date_modified": "2018-09-05T20:42:07+00:00",
          "view_count": 10,
          "preorder_release_date": null,
          "preorder_message": "",
          "is_preorder_only": false,
          "is_price_hidden": false,
          "price_hidden_label": "",
          "custom_url": {"url": "/all/ware-\#(ware.number)/", "is_customized": true},
          "base_variant_id": \#(ware.number + 340),
          "open_graph_type": "product",
          "open_graph_title": "",
          "open_graph_description": "",
          "open_graph_use_meta_description": true,
          "open_graph_use_product_name": true,
          "open_graph_use_image": true\#(primaryImage)
        }
        """#
    }

    private var price: String { (ware.cents ?? 0).shortAmount() }

    /// Only where it was asked for.
    private var primaryImage: String {
        guard hasImage else { return "" }
        guard let picture = ware.picture else { return #", "primary_image": null"# }
        return #"""
            , "primary_image": {
              "id": \#(ware.number),
              "product_id": \#(ware.number + 170),
              "is_thumbnail": true,
              "sort_order": 0,
              "description": "",
              "image_file": "\#(ware.number).jpg",
              "url_zoom": "https://img.shop.example/zoom.jpg",
              "url_standard": \#(picture.json),
              "url_thumbnail": "https://img.shop.example/thumbnail.jpg",
              "url_tiny": "https://img.shop.example/tiny.jpg",
              "date_modified": "2018-08-15T14:48:46+00:00"
            }
            """#
    }
}
