#include "server_internal.h"

#include <stdlib.h>

larder_ledger *larder_ledger_new(void) {
    larder_ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger) {
        ledger->holders = 1;
    }
    return ledger;
}

void larder_ledger_retain(larder_ledger *ledger) {
    ledger->holders++;
}

void larder_ledger_release(larder_ledger *ledger) {
    if (ledger && --ledger->holders == 0) {
        free(ledger);
    }
}
