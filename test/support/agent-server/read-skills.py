"""Reads a folder of skills by the agent server's own loader: for each that it loads, path, name and triggers."""

import json
import logging
import sys
from pathlib import Path

from openhands.sdk.skills.skill import load_skills_from_dir
from openhands.sdk.skills import skill as loader

logging.disable(logging.CRITICAL)
folder = Path(sys.argv[1])
found = []
load = loader.load_and_categorize


def record(path, skill_base_dir, *categories, **options):
    """Skills of one name replace each other in the loader's answer."""
    mine = ({}, {}, {})
    load(path, skill_base_dir, *mine, **options)
    for category in mine:
        for skill in category.values():
            found.append([str(path.relative_to(folder)), skill.name, skill.get_triggers()])


loader.load_and_categorize = record
load_skills_from_dir(folder, strict=False)
print("\nSKILLS" + json.dumps(found))
