-- Sends the request described by REQUEST_METHOD, _PATH, _KEY, _BODY_FILE and _CLOSE; prints lines `figure NAME VALUE`.
local wanted = {}
for _, name in ipairs({ "method", "path", "key", "body_file", "close" }) do
    wanted[name] = os.getenv("REQUEST_" .. name:upper())
end

local bytes

function init()
    local headers, body = {}, nil
    if wanted.key then headers["Authorization"] = "Bearer " .. wanted.key end
    if wanted.close then headers["Connection"] = "close" end
    if wanted.body_file then
        local file = assert(io.open(wanted.body_file, "rb"))
        body = file:read("*a")
        file:close()
        headers["Content-Type"] = "application/json"
    end
    bytes = wrk.format(wanted.method, wanted.path, headers, body)
end

function request()
    return bytes
end

function done(summary, latency)
    local errors = summary.errors
    local failures = errors.status + errors.connect + errors.read + errors.write + errors.timeout
    for name, value in pairs({
        requests = summary.requests, microseconds = summary.duration, failures = failures,
        p50 = latency:percentile(50), p99 = latency:percentile(99),
    }) do
        print(string.format("figure %s %.0f", name, value))
    end
end
