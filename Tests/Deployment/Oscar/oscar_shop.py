"""A shop of django-oscar with django-oscar-api: its settings, its URLs, and the commands that fill, change and serve it.

The list of the API tells id, title and date_updated; everything else has a URL for each product. Oscar itself leaves the
date of a product as it is when only its stock record changes, so the shop sets it then.
"""

import os
import sys
from pathlib import Path

from oscar.defaults import *  # noqa: F403

FOLDER = Path(os.environ["OSCAR_FOLDER"])
SECRET_KEY = "drill"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "oscar_shop"
SITE_ID = 1
USE_TZ = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "shop.sqlite", "ATOMIC_REQUESTS": False,
                         "OPTIONS": {"timeout": 30, "init_command": "PRAGMA journal_mode=WAL"}}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
MEDIA_ROOT, MEDIA_URL, STATIC_URL = FOLDER / "media", "/media/", "/static/"
INSTALLED_APPS = [
    "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
    "django.contrib.sites", "django.contrib.flatpages", "django.contrib.staticfiles", "oscar.config.Shop",
    "oscar.apps.analytics.apps.AnalyticsConfig", "oscar.apps.checkout.apps.CheckoutConfig",
    "oscar.apps.address.apps.AddressConfig", "oscar.apps.shipping.apps.ShippingConfig",
    "oscar.apps.catalogue.apps.CatalogueConfig", "oscar.apps.catalogue.reviews.apps.CatalogueReviewsConfig",
    "oscar.apps.communication.apps.CommunicationConfig", "oscar.apps.partner.apps.PartnerConfig",
    "oscar.apps.basket.apps.BasketConfig", "oscar.apps.payment.apps.PaymentConfig",
    "oscar.apps.offer.apps.OfferConfig", "oscar.apps.order.apps.OrderConfig", "oscar.apps.customer.apps.CustomerConfig",
    "oscar.apps.search.apps.SearchConfig", "oscar.apps.voucher.apps.VoucherConfig",
    "oscar.apps.wishlists.apps.WishlistsConfig", "oscar.apps.dashboard.apps.DashboardConfig",
    "oscar.apps.dashboard.reports.apps.ReportsDashboardConfig", "oscar.apps.dashboard.users.apps.UsersDashboardConfig",
    "oscar.apps.dashboard.orders.apps.OrdersDashboardConfig",
    "oscar.apps.dashboard.catalogue.apps.CatalogueDashboardConfig",
    "oscar.apps.dashboard.offers.apps.OffersDashboardConfig",
    "oscar.apps.dashboard.partners.apps.PartnersDashboardConfig",
    "oscar.apps.dashboard.pages.apps.PagesDashboardConfig", "oscar.apps.dashboard.ranges.apps.RangesDashboardConfig",
    "oscar.apps.dashboard.reviews.apps.ReviewsDashboardConfig",
    "oscar.apps.dashboard.vouchers.apps.VouchersDashboardConfig",
    "oscar.apps.dashboard.communications.apps.CommunicationsDashboardConfig",
    "oscar.apps.dashboard.shipping.apps.ShippingDashboardConfig", "widget_tweaks", "haystack", "treebeard",
    "django_tables2", "rest_framework", "oscarapi"]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware",
              "django.contrib.auth.middleware.AuthenticationMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
REST_FRAMEWORK = {"DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"]}
OSCARAPI_PRODUCT_FIELDS = ("id", "title", "url", "date_updated")
OSCAR_DEFAULT_CURRENCY = "EUR"


def __getattr__(name: str):
    """The URLs, which can be made only when Django is set up."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.urls import include, path
    return [path("api/", include("oscarapi.urls"))]


def watch_stock() -> None:
    """Sets the date of a product when its stock record changes."""
    from django.db.models.signals import post_save
    from oscar.core.loading import get_model

    def touch(instance, **_) -> None:
        instance.product.save(update_fields=["date_updated"])

    post_save.connect(touch, sender=get_model("partner", "StockRecord"), weak=False)


def fill(count: int) -> None:
    """Makes the tables and so many products in four categories, each with a price, a stock and an image."""
    from decimal import Decimal

    from django.core.management import call_command
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.core.loading import get_model

    call_command("migrate", verbosity=0)
    kind = get_model("catalogue", "ProductClass").objects.create(name="Preserve")
    partner = get_model("partner", "Partner").objects.create(name="Cellar")
    categories = [create_from_breadcrumbs(f"Food > {name}") for name in ("Jam", "Jelly", "Curd", "Chutney")]
    product, record = get_model("catalogue", "Product"), get_model("partner", "StockRecord")
    for number in range(1, count + 1):
        made = product.objects.create(id=number, upc=f"P{number:05}", title=f"Préserve {number} “of the day”",
                                      product_class=kind, structure="standalone")
        made.categories.add(categories[number % 4])
        get_model("catalogue", "ProductImage").objects.create(product=made, original=f"images/{number}.jpg")
        record.objects.create(product=made, partner=partner, partner_sku=str(number), price_currency="EUR",
                              price=Decimal(number * 7 % 9973 + 1) / 100, num_in_stock=number % 40)


def change(first: int, last: int, cents: int) -> None:
    """Gives some products another price, and one piece more in stock."""
    from decimal import Decimal

    from oscar.core.loading import get_model
    for record in get_model("partner", "StockRecord").objects.filter(product__id__range=(first, last)):
        record.price += Decimal(cents) / 100
        record.num_in_stock += 1
        record.save()


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "oscar_shop"
    import django
    django.setup()
    watch_stock()
    command, *numbers = sys.argv[1:]
    match command:
        case "fill":
            fill(*map(int, numbers))
        case "change":
            change(*map(int, numbers))
        case "serve":
            from django.core.management import call_command
            call_command("runserver", f"127.0.0.1:{numbers[0]}", use_reloader=False, skip_checks=True)


if __name__ == "__main__":
    main()
