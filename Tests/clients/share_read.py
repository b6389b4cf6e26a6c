"""Reads a share link of a CSV with pandas. usage: share_read.py LINK

Prints the number of rows.
"""
import sys

import pandas

print(len(pandas.read_csv(sys.argv[1])))
