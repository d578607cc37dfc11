"""Validates events of OCSF, one a line on standard input: python ocsf_events.py VERSION…. Prints what is wrong, as JSON.

Against the JSON schemas of the version that the event names and of the versions given, and, as those do not compare values, that
every name is the caption of its number, and that a type is of its class and activity.
"""

import json
import sys

from jsonschema import Draft202012Validator
from ocsf_json_schema import OcsfJsonSchemaEmbedded, get_ocsf_schema

# A name, and the number that it is the caption of.
NAMES = {
    "activity_name": "activity_id",
    "category_name": "category_uid",
    "class_name": "class_uid",
    "severity": "severity_id",
    "status": "status_id",
    "type_name": "type_uid",
}


class Version:
    """The classes of one version of OCSF, with validators that are made once."""

    def __init__(self, version):
        self.schema = get_ocsf_schema(version=version)
        self.embedded = OcsfJsonSchemaEmbedded(get_ocsf_schema(version=version))
        self.validators = {}

    def problems(self, event):
        name = self.embedded.lookup_class_name_from_uid(event["class_uid"])
        if name not in self.validators:
            schema = self.embedded.get_class_schema(name)
            Draft202012Validator.check_schema(schema)
            self.validators[name] = Draft202012Validator(schema)
        for error in self.validators[name].iter_errors(event):
            yield f"{error.json_path}: {error.message}"
        attributes = self.schema["classes"][name]["attributes"]
        for text, number in NAMES.items():
            captions = attributes[number].get("enum", {})
            caption = captions.get(str(event[number]), {}).get("caption")
            if caption != event[text]:
                yield f"$.{text}: {event[text]!r} is not {caption!r}"
        if event["type_uid"] != event["class_uid"] * 100 + event["activity_id"]:
            yield "$.type_uid: not of class and activity"


versions = {}
problems = {}
count = 0
for line in sys.stdin:
    event = json.loads(line)
    count += 1
    for version in {event["metadata"]["version"], *sys.argv[1:]}:
        if version not in versions:
            versions[version] = Version(version)
        for problem in versions[version].problems(event):
            about = f"{version} {event['class_name']}: {problem}"
            problems.setdefault(about, event["unmapped"]["action"])
print(json.dumps({"events": count, "versions": sorted(versions), "problems": problems}))
