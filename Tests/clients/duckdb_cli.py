"""The subset of DuckDB's command line that the guide uses: -c SQL, or SQL on standard input. Prints each row."""
import sys

import httpfs

db = httpfs.connect()
sql = sys.argv[2] if sys.argv[1:2] == ["-c"] else sys.stdin.read()
for statement in db.extract_statements(sql):
    for row in db.execute(statement).fetchall():
        print(*row)
