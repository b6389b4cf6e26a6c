"""Checks an IAM policy for unknown actions and resources with parliament. usage: iam.py FILE"""
import sys

import parliament

with open(sys.argv[1]) as file:
    findings = parliament.analyze_policy_string(file.read()).findings
sys.exit("\n".join(f"{finding.issue}: {finding.detail}" for finding in findings) or 0)
