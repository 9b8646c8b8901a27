#ifndef C_EVENT_SHIM_H
#define C_EVENT_SHIM_H

#include "larder_client.h"
#include "larder_listen.h"
#include "larder_loop.h"
#include "larder_rates.h"
#include "larder_redis.h"
#include "larder_refusal.h"
#include "larder_server.h"
#include "larder_tls.h"

#endif
