"""Holds a task definition to what the ECS API takes (RegisterTaskDefinition, as botocore knows it): usage: ecs.py FILE"""
import json
import sys

import botocore.session
import botocore.validate

ecs = botocore.session.get_session().get_service_model("ecs")
shape = ecs.operation_model("RegisterTaskDefinition").input_shape
with open(sys.argv[1]) as file:
    report = botocore.validate.ParamValidator().validate(json.load(file), shape)
sys.exit(report.generate_report() or 0)
