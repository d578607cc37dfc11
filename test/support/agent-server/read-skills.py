"""Reads a folder of skills by the agent server's own loader: for each that it loads, path, name and triggers."""

import json
import logging
import sys
from pathlib import Path

from openhands.sdk.skills import skill as loader

logging.disable(logging.CRITICAL)
folder = Path(sys.argv[1])
found = []


def record(path, skill_base_dir, *_, **__):
    """Takes the place of what files skills by name, where those of one name replace each other."""
    try:
        skill = loader.Skill.load(path, skill_base_dir, strict=False)
    except Exception:
        return
    found.append([str(path.relative_to(folder)), skill.name, skill.get_triggers()])


loader.load_and_categorize = record
loader.load_skills_from_dir(folder)
print("\nSKILLS" + json.dumps(found))
