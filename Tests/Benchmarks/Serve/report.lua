-- What wrk found, as one line of JSON. No `response` function: wrk would then call into Lua for every answer.
function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"bytes":%d,"microseconds":%d,"status":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,' ..
        '"p50":%d,"p99":%d}\n',
        summary.requests, summary.bytes, summary.duration, errors.status, errors.connect, errors.read, errors.write,
        errors.timeout, latency:percentile(50), latency:percentile(99)))
end
