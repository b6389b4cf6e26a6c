#!/usr/bin/env python3
"""OpenStack Swift with its S3 API, all four services in one process: one replica on a local folder, for tests.

usage: ACCESS_KEY=ACCOUNT:USER SECRET=KEY swift_server.py DIR PORT     (PORT+1 to PORT+3 are internal)

The folder's file system needs extended user attributes (ext4, xfs, tmpfs since Linux 6.6). One process starts three
times as fast as the usual four daemons.
"""
import os
import sys
import time
import warnings

SERVICES = ("account", "container", "object")
FILTERS = {
    "catch_errors": "", "gatekeeper": "", "healthcheck": "", "proxy_logging": "", "listing_formats": "",
    "s3api": "location = us-east-1\ns3_acl = false\nallow_no_owner = true\ncheck_bucket_owner = false\n",
    "tempauth": "user_{account}_{user} = {secret} .admin\n",
    "copy": "", "bulk": "", "slo": "", "dlo": "", "symlink": "",
    "versioned_writes": "allow_object_versioning = true\n",
}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def configure(folder, port):
    """Writes the configuration of each service; returns a list of (service, file, port)."""
    common = f"bind_ip = 127.0.0.1\nworkers = 0\nswift_dir = {folder}\nlog_level = WARNING\n"
    disk = f"devices = {folder}/devices\nmount_check = false\nfallocate_reserve = 0\ndisable_fallocate = true\n"
    found = []
    for offset, service in enumerate(SERVICES, 1):
        text = (f"[DEFAULT]\nbind_port = {port + offset}\n{common}{disk}"
                f"[pipeline:main]\npipeline = {service}-server\n[app:{service}-server]\nuse = egg:swift#{service}\n")
        found.append((service, write(f"{folder}/{service}.conf", text), port + offset))
    account, user = os.environ["ACCESS_KEY"].split(":", 1)
    filters = "".join(
        f"[filter:{name}]\nuse = egg:swift#{name}\n"
        + options.format(account=account, user=user, secret=os.environ["SECRET"])
        for name, options in FILTERS.items())
    text = (f"[DEFAULT]\nbind_port = {port}\n{common}[pipeline:main]\npipeline = {' '.join(FILTERS)} proxy-server\n"
            "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\nallow_account_management = true\n"
            f"conn_timeout = 5\nnode_timeout = 30\n{filters}")
    return found + [("proxy", write(f"{folder}/proxy.conf", text), port)]


def build_rings(folder, port):
    from swift.common.ring import RingBuilder
    for offset, service in enumerate(SERVICES, 1):
        builder = RingBuilder(2, 1, 0)
        builder.add_dev({
            "id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "disk", "meta": "",
            "ip": "127.0.0.1", "port": port + offset, "replication_ip": "127.0.0.1", "replication_port": port + offset})
        builder.rebalance()
        builder.get_ring().save(f"{folder}/{service}.ring.gz")


def adopt_settings(folder):
    """Makes Swift read its configuration from the folder instead of /etc/swift/swift.conf, which it reads on import."""
    path = write(f"{folder}/swift.conf",
                 "[swift-hash]\nswift_hash_path_prefix = tests\nswift_hash_path_suffix = tests\n"
                 "[storage-policy:0]\nname = default\ndefault = yes\n")
    import swift.common.utils
    import swift.common.utils.config
    for module in (swift.common.utils, swift.common.utils.config):
        if hasattr(module, "SWIFT_CONF_FILE"):
            module.SWIFT_CONF_FILE = path
    swift.common.utils.FALLOCATE_RESERVE, swift.common.utils.FALLOCATE_IS_PERCENT = 0, False
    return swift.common.utils


def main():
    folder, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(f"{folder}/devices/disk", exist_ok=True)
    os.environ["TZ"] = "UTC+0"
    time.tzset()
    warnings.filterwarnings("ignore")
    utils = adopt_settings(folder)
    import eventlet
    import eventlet.hubs
    import eventlet.wsgi
    eventlet.hubs.use_hub(utils.get_hub())
    utils.monkey_patch()
    from swift.common import constraints, wsgi
    build_rings(folder, port)
    for service, path, number in configure(folder, port):
        eventlet.spawn(
            eventlet.wsgi.server, eventlet.listen(("127.0.0.1", number), reuse_port=False),
            wsgi.loadapp(path, global_conf={"log_name": service}), wsgi.NullLogger(),
            protocol=wsgi.SwiftHttpProtocol, custom_pool=wsgi.RestrictedGreenPool(size=256),
            capitalize_response_headers=False, url_length_limit=constraints.MAX_REQUEST_LINE, socket_timeout=60)
    while True:
        eventlet.sleep(3600)


main()
