"""Lets one Python process that has imported the agent server be forked for each sandbox.

Python runs this file before the program that it was started with. What it does there says a variable: it serves forks, or
it waits, in the sandbox, until a fork has taken its place (docs/sandboxes.md#forked).
"""

import os
import select
import signal
import sys

VARIABLES = ("AGENT_SERVER_FORKS", "PYTHONPATH", "PYTHONNOUSERSITE")
ROLE, FOLDER, _ = (os.environ.pop(name, None) for name in VARIABLES)

WAITS = b"agent-waits"
TAKEN, ALONE = signal.SIGUSR1, signal.SIGUSR2
# The service says much sooner what is to happen, unless it is gone.
WAIT_SECONDS = 600


def wait():
    """Returns where no fork comes, and the agent server is to start by itself."""
    signals = {TAKEN, ALONE, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    name = rename(WAITS.decode())
    told = signal.sigtimedwait(signals, WAIT_SECONDS)
    number = ALONE if told is None else told.si_signo
    if number == signal.SIGTERM:
        os._exit(0)
    if number == TAKEN:
        watch(os.pidfd_open(told.si_pid))
    rename(name)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def watch(agent_server):
    """Passes on that it is to end, and ends with it."""
    signal.signal(signal.SIGTERM, lambda *_: signal.pidfd_send_signal(agent_server, signal.SIGTERM))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    ended = select.poll()
    ended.register(agent_server, select.POLLIN)
    ended.poll()
    os._exit(0)


def rename(name):
    """The name of this process, as others see it; returns the one before."""
    with open("/proc/self/comm") as file:
        before = file.read().strip()
    with open("/proc/self/comm", "w") as file:
        file.write(name)
    return before


if ROLE == "wait":
    sys.path.remove(FOLDER)
    wait()
elif ROLE == "serve":
    try:
        import fork_server

        sys.path.remove(FOLDER)
        fork_server.serve()
    except BaseException as error:
        # Python would go on with the program, with whatever rights this process has.
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(1)
