"""A process that has imported the agent server, and is forked for each sandbox (docs/sandboxes.md#forked).

It knows no key and no conversation: all that it is told are numbers of processes. It has rights over sandboxes, in a user
namespace around theirs, and none on the host.
"""

import contextlib
import ctypes
import gc
import importlib
import os
import resource
import signal
import sys
import time

import sitecustomize

AGENT_SERVER = "openhands.agent_server"
# What agent servers import besides themselves: their own modules read keys and folders when they are imported.
MODULES = (
    *("openhands.sdk", "openhands.sdk.profiles", "openhands.sdk.launch", "openhands.sdk.conversation.goal"),
    *("openhands.sdk.llm.provider_connection_store", "openhands.sdk.git.git_commits"),
    *("openhands.sdk.utils.async_utils", "openhands.sdk.agent.acp_model_discovery"),
    *("openhands.tools.preset.default", "openhands.tools.file_editor.impl", "openhands.tools.task_tracker"),
    *("openhands.tools.terminal.impl", "openhands.tools.child_conversation", "openhands.tools.browser_use.impl"),
    *("openhands.tools.glob.impl", "openhands.tools.grep.impl", "openhands.tools.gemini", "openhands.tools.delegate"),
    *("fastapi", "fastapi.staticfiles", "fastapi.middleware.cors", "fastapi.telemetry._runtime", "orjson"),
    *("alembic", "aiosqlite", "sqlalchemy.ext.asyncio", "docker", "psutil", "posthog", "pydantic.v1"),
    *("uvicorn", "uvicorn.logging", "uvicorn.loops.asyncio", "uvicorn.lifespan.on"),
    *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.wsproto_impl"),
    # What a first message imports: a third of what a fork would have for itself, and a second of what people wait.
    *("litellm.litellm_core_utils.default_encoding", "openai.resources", "httpcore", "anyio._backends._asyncio"),
)
GROUP_SECONDS, FORK_SECONDS = 5, 20

NAMESPACES = os.CLONE_NEWNS | os.CLONE_NEWPID | os.CLONE_NEWNET | os.CLONE_NEWIPC | os.CLONE_NEWUTS
SYS_PIDFD_GETFD = 438
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 4, 24, 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
CAPABILITY_VERSION = 0x20080522
LIMITS = sorted({number for name, number in vars(resource).items() if name.startswith("RLIMIT_")})
RIGHTS = (
    *("Uid", "Gid", "Groups", "Umask", "NoNewPrivs", "Seccomp"),
    *("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"),
)

libc = ctypes.CDLL(None, use_errno=True)
# Of the environment, besides what this process was started with.
added = {}


def serve():
    """Returns in the forks only, once they have become the agent servers of their sandboxes."""
    requests, answers = os.dup(0), os.dup(1)
    # What is imported may write, and forks are to have neither of the two.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for name in MODULES:
        # What a version does not have, or not any more, is no loss.
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if any(name.startswith(AGENT_SERVER) for name in sys.modules) or MODULES[0] not in sys.modules:
        raise RuntimeError("this version cannot be imported without its own modules")
    if len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("it has threads, which a fork would lack")
    given = variables_in("self")
    added.update((name, value) for name, value in os.environb.items() if name not in given)
    gc.collect()
    gc.freeze()

    def say(what):
        os.write(answers, f"{what}\n".encode())

    say("ready")
    while request := line_of(requests):
        sys.stdout.flush()
        sys.stderr.flush()
        pid, start = request.split()
        fork = os.fork()
        if fork == 0:
            return become(int(pid), start)
        say(fork)
        _, status = os.waitpid(fork, 0)
        say("done" if status == 0 else "failed")
    os._exit(0)


def line_of(file):
    """Read such that a fork has nothing of the next one in memory."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(file, 1)
        if byte == b"":
            return ""
        line += byte
    return line.decode().strip()


def become(pid, start):
    """Puts a fork in the place of a process that waits in its sandbox, with that one's rights and no others.

    That they are the same is checked before anything of the conversation is read. Returns in that fork only.
    """
    # Nothing of what it waits for takes longer, and others wait for it.
    signal.alarm(FORK_SECONDS)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    process = os.pidfd_open(pid)
    # The number may be another process's by now; what is open remains that one.
    if read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[19].decode() != start:
        raise RuntimeError("the process that waits is gone")
    place = int(status_of(pid)["NSpid"].split()[-1])
    await_groups(pid)
    files = [check(libc.syscall(SYS_PIDFD_GETFD, process, standard, 0)) for standard in range(3)]
    limits = [(limit, resource.prlimit(pid, limit)) for limit in LIMITS]
    os.setns(process, NAMESPACES)
    # The last, because who is in it has no rights in those around.
    os.setns(process, os.CLONE_NEWUSER)
    for limit, values in limits:
        resource.setrlimit(limit, values)
    told, tells = os.pipe()
    # Children only are in a namespace for processes that was entered.
    child = os.fork()
    if child > 0:
        os.close(tells)
        os.waitpid(child, 0)
        os._exit(0 if os.read(told, 1) else 1)
    # One whose parent is gone has the first process of the namespace as its parent.
    if os.fork() > 0:
        os._exit(0)
    os.setsid()
    give_up_rights(status_of(place))
    compare(place)
    for standard, file in enumerate(files):
        os.dup2(file, standard)
    take_over(place)
    os.dup2(tells, 3)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    # As a program is that its user started: until now no other process could look into this one.
    check(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
    # Its arguments are those of the fork server for good.
    sitecustomize.rename("agent-server")
    os.kill(place, sitecustomize.TAKEN)
    os.write(3, b"+")
    os.close(3)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def variables_in(pid):
    """Those that a process was started with."""
    entries = read(f"/proc/{pid}/environ").split(b"\0")
    return dict(entry.split(b"=", 1) for entry in entries if b"=" in entry)


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def status_of(pid):
    lines = read(f"/proc/{pid}/status").decode().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def await_groups(pid):
    """The service puts this process into the control groups of the sandbox: nobody else may."""
    until = time.monotonic() + GROUP_SECONDS
    while read("/proc/self/cgroup") != read(f"/proc/{pid}/cgroup"):
        if time.monotonic() > until:
            raise RuntimeError("it is not in the control groups of the sandbox")
        time.sleep(0.002)


def give_up_rights(status):
    gid, uid = (int(status[name].split()[0]) for name in ("Gid", "Uid"))
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    os.umask(int(status["Umask"], 8))
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
    for capability in range(int(read("/proc/sys/kernel/cap_last_cap")) + 1):
        check(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0))
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    check(libc.capset((ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()))


def compare(place):
    """Raises an error where this process may do anything else than the one that waits."""
    own, other = status_of("self"), status_of(place)
    for name in RIGHTS:
        if own[name] != other[name]:
            raise RuntimeError(f"{name} is {own[name]} in place of {other[name]}")
    for name in os.listdir(f"/proc/{place}/ns"):
        if os.readlink(f"/proc/self/ns/{name}") != os.readlink(f"/proc/{place}/ns/{name}"):
            raise RuntimeError(f"the namespace {name} is another one")
    for name in ("cgroup", "limits", "oom_score_adj", "mountinfo"):
        if read(f"/proc/self/{name}") != read(f"/proc/{place}/{name}"):
            raise RuntimeError(f"{name} differs")


def take_over(place):
    """Environment, arguments and folder are those that the process in the sandbox was started with."""
    os.environb.clear()
    # What Python and what is imported set would be set in the sandbox too. Terminals need the locale that is among it.
    os.environb.update({**added, **variables_in(place)})
    for name in sitecustomize.VARIABLES:
        del os.environ[name]
    time.tzset()
    arguments = [os.fsdecode(argument) for argument in read(f"/proc/{place}/cmdline").split(b"\0")[:-1]]
    # All but what this process was asked in place of serving.
    program = sys.orig_argv[:-1]
    if arguments[: len(program)] != program:
        raise RuntimeError("the program is another one")
    if read(f"/proc/{place}/comm").strip() != sitecustomize.WAITS:
        raise RuntimeError("it does not wait any more")
    sys.argv[-1:] = arguments[len(program) :]
    os.chdir(os.readlink(f"/proc/{place}/cwd"))
