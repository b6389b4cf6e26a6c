-- Posts one body repeatedly. usage: wrk [options] -s wrk.lua URL -- API-KEY JSON
--
-- After wrk's own output, prints a JSON line with the number of responses, those with status 200, and socket errors.
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init(arguments)
    answered, granted = 0, 0
    wrk.method = "POST"
    wrk.headers["X-API-Key"] = arguments[1]
    wrk.headers["Content-Type"] = "application/json"
    wrk.body = arguments[2]
end

function response(status)
    answered = answered + 1
    if status == 200 then granted = granted + 1 end
end

function done(summary)
    local answered, granted, errors = 0, 0, summary.errors
    for _, thread in ipairs(threads) do
        answered, granted = answered + thread:get("answered"), granted + thread:get("granted")
    end
    print(string.format(
        '{"answered":%d,"granted":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}',
        answered, granted, errors.connect, errors.read, errors.write, errors.timeout))
end
