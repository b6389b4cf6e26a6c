"""Validates a bucket setting against botocore's model of the S3 API. usage: bucket.py OPERATION MEMBER FILE"""
import json
import sys

import botocore.session
import botocore.validate

operation, member, name = sys.argv[1:]
s3 = botocore.session.get_session().get_service_model("s3")
shape = s3.operation_model(operation).input_shape.members[member]
with open(name) as file:
    report = botocore.validate.ParamValidator().validate(json.load(file), shape)
sys.exit(report.generate_report() or 0)
