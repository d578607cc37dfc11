"""Works with a service through the cloud workspace of the software development kit, with its defaults.

Prints one line of JSON for each step: its name, the HTTP requests it made with their statuses, and what came of it.
"""

import json
import os
import re
import tempfile
import threading
import time
import traceback

import httpx

from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.event import ObservationEvent
from openhands.tools.terminal import TerminalTool
from openhands.workspace import OpenHandsCloudWorkspace
from openhands.workspace.cloud import workspace as cloud

URL = os.environ["SERVICE_URL"]
KEY = os.environ["SERVICE_KEY"]
CONVERSATION = re.compile(r"/api/conversations/[0-9a-f-]{32,36}$")
requests = []

send = httpx.Client.send
urlopen = cloud.urlopen


def recorded_send(self, request, **kwargs):
    response = send(self, request, **kwargs)
    requests.append([request.method, str(request.url), response.status_code])
    return response


def recorded_urlopen(url, **kwargs):
    response = urlopen(url, **kwargs)
    requests.append(["GET", url, response.status])
    return response


httpx.Client.send = recorded_send
cloud.urlopen = recorded_urlopen


def step(name, work):
    """Does some work and prints what came of it. An exception of the kit fails the step, not the program."""
    requests.clear()
    try:
        outcome = {"result": work()}
    except Exception:
        outcome = {"error": traceback.format_exc()}
    print(json.dumps({"step": name, "requests": requests, **outcome}), flush=True)
    return outcome.get("result")


def make():
    global workspace
    workspace = OpenHandsCloudWorkspace(cloud_api_url=URL, cloud_api_key=KEY)
    return workspace._sandbox_id


def run(command):
    result = workspace.execute_command(command, cwd=workspace.working_dir)
    return [result.exit_code, result.stdout]


def upload(name, text):
    with tempfile.TemporaryDirectory() as folder:
        here = os.path.join(folder, "here.txt")
        with open(here, "w") as file:
            file.write(text)
        return workspace.file_upload(here, f"/workspace/project/{name}").success


def files():
    up = upload("there.txt", "from here")
    with tempfile.TemporaryDirectory() as folder:
        back = os.path.join(folder, "back.txt")
        down = workspace.file_download("/workspace/project/there.txt", back)
        with open(back) as file:
            return [up, down.success, file.read()]


def end_run_once_polled():
    """Makes the file that the agent's command waits for, once the kit has asked how the run goes.

    It asks only where a run takes longer than a second.
    """
    while not any(method == "GET" and CONVERSATION.search(url) for method, url, _ in requests):
        time.sleep(0.05)
    upload("polled.txt", "")


def model(profile=None):
    llm = workspace.get_llm(profile) if profile else workspace.get_llm()
    return {"model": llm.model, "base_url": llm.base_url, "api_key": llm.api_key.get_secret_value()}


def secrets():
    return {name: secret.description for name, secret in workspace.get_secrets().items()}


def converse():
    agent = Agent(llm=workspace.get_llm(), tools=[Tool(name=TerminalTool.name)])
    conversation = Conversation(agent=agent, workspace=workspace)
    try:
        conversation.update_secrets(workspace.get_secrets())
        conversation.send_message("Say what the token is.")
        threading.Thread(target=end_run_once_polled, daemon=True).start()
        conversation.run(timeout=300)
        seen = [event for event in conversation.state.events if isinstance(event, ObservationEvent)]
        return {
            "id": str(conversation.id),
            "status": conversation.state.execution_status.value,
            "observations": [event.model_dump_json() for event in seen],
        }
    finally:
        conversation.close()


def pause():
    """The kit has no way to pause."""
    with httpx.Client(headers={"Authorization": f"Bearer {KEY}"}) as client:
        return client.post(f"{URL}/api/v1/sandboxes/{workspace._sandbox_id}/pause").json()


def resume():
    workspace.resume()
    return workspace._sandbox_id


def attach():
    """Another program that goes on in the sandbox of this one."""
    again = OpenHandsCloudWorkspace(
        cloud_api_url=URL, cloud_api_key=KEY, sandbox_id=workspace._sandbox_id, keep_alive=True
    )
    found = again.execute_command("cat made.txt", cwd=again.working_dir).stdout
    again.cleanup()
    return found


def delete():
    workspace.cleanup()
    return workspace._sandbox_id


step("create", make)
step("command", lambda: run("pwd && touch made.txt && echo made > made.txt"))
step("files", files)
step("model", model)
step("model of a profile", lambda: model("Fast"))
step("secrets", secrets)
step("tool servers", lambda: list(workspace.get_mcp_config() or {}))
step("conversation", converse)
step("pause", pause)
step("resume", resume)
step("command after the pause", lambda: run("cat made.txt"))
step("attach", attach)
step("delete", delete)
