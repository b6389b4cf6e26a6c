"""Validates a task definition against botocore's model of the ECS API (RegisterTaskDefinition). usage: ecs.py FILE"""
import json
import sys

import botocore.session
import botocore.validate

ecs = botocore.session.get_session().get_service_model("ecs")
shape = ecs.operation_model("RegisterTaskDefinition").input_shape
with open(sys.argv[1]) as file:
    report = botocore.validate.ParamValidator().validate(json.load(file), shape)
sys.exit(report.generate_report() or 0)
