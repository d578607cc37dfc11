"""One story by the client that openapi-python-client makes of `openapi.json`, with its default options.

    python story.py <url of the service> <key>

It fails at the first answer that is not the expected one, and prints the requests it made, with `{}` for ids.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

import httpx
from organization_conversation_service_client import AuthenticatedClient
from organization_conversation_service_client.api.conversations import (
    batch_get_start_tasks,
    count_app_conversations,
    delete_app_conversation,
    get_app_conversation,
    search_app_conversations,
    send_message,
    start_app_conversation,
    update_app_conversation,
)
from organization_conversation_service_client.api.events import (
    count_conversation_events,
    download_conversation,
    get_conversation_event,
    search_conversation_events,
)
from organization_conversation_service_client.api.organization_conversations import (
    export_org_conversations,
    get_org_conversation,
    get_org_conversation_stats,
    list_org_conversations,
)
from organization_conversation_service_client.api.organizations import get_current_user
from organization_conversation_service_client.api.queued_messages import (
    list_pending_messages,
    queue_pending_message,
)
from organization_conversation_service_client.api.sandboxes import (
    batch_get_sandboxes,
    pause_sandbox,
    resume_sandbox,
)
from organization_conversation_service_client.models import (
    AppConversation,
    AppConversationPage,
    AppConversationStartRequest,
    AppConversationStartTask,
    AppConversationStartTaskStatus,
    AppConversationUpdate,
    AppSendMessageRequest,
    AppSendMessageResponse,
    CurrentUser,
    ErrorBody,
    EventPage,
    InitialMessage,
    ListOrgConversationsSortBy,
    MessageEvent,
    OrgConversationPage,
    OrgConversationResponse,
    OrgConversationStats,
    PendingMessageRequest,
    PendingMessageResponse,
    QueuedMessageList,
    QueuedMessageState,
    SandboxInfo,
    SandboxInfoStatus,
    Success,
    TextContent,
)
from organization_conversation_service_client.types import File

T = TypeVar("T")
LIMIT_SECONDS = 120
ID = re.compile(r"/[0-9a-f]{8}-[0-9a-f-]{27}")

requests: set[str] = set()


def note(request: httpx.Request) -> None:
    requests.add(f"{request.method} {ID.sub('/{}', request.url.path)}")


def good(kind: type[T], answer: object) -> T:
    """The answer, if it is of the kind that a 2xx has."""
    assert isinstance(answer, kind), answer
    return answer


def until(what: str, ask: Callable[[], T | None]) -> T:
    """Asks until there is an answer."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        found = ask()
        if found is not None:
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


def start(client: AuthenticatedClient) -> UUID:
    message = InitialMessage(content=[TextContent(text="Say hello.")])
    body = AppConversationStartRequest(title="A greeting", initial_message=message)
    begun = good(AppConversationStartTask, start_app_conversation.sync(client=client, body=body))
    later = PendingMessageRequest(content=[TextContent(text="And in French?")])
    queued = queue_pending_message.sync(str(begun.id), client=client, body=later)
    assert good(PendingMessageResponse, queued).position >= 1

    def ready() -> UUID | None:
        tasks = good(list, batch_get_start_tasks.sync(client=client, ids=[str(begun.id)]))
        task = good(AppConversationStartTask, tasks[0])
        assert task.status != AppConversationStartTaskStatus.ERROR, task.detail
        return task.app_conversation_id if task.status == AppConversationStartTaskStatus.READY else None

    return until("The start", ready)


def talk(client: AuthenticatedClient, conversation: UUID) -> None:
    body = AppSendMessageRequest(content=[TextContent(text="Thank you.")])
    sent = send_message.sync(conversation, client=client, body=body)
    assert good(AppSendMessageResponse, sent).success

    def three_answers() -> EventPage | None:
        page = good(EventPage, search_conversation_events.sync(conversation, client=client))
        answers = [one for one in page.items if isinstance(one, MessageEvent) and one.source == "agent"]
        return page if len(answers) >= 3 else None

    page = until("Three answers", three_answers)
    event = next(one for one in page.items if isinstance(one, MessageEvent))
    again = get_conversation_event.sync(conversation, event.id, client=client)
    assert good(MessageEvent, again).llm_message == event.llm_message
    assert good(int, count_conversation_events.sync(conversation, client=client)) >= len(page.items)
    queue = good(QueuedMessageList, list_pending_messages.sync(str(conversation), client=client))
    assert all(one.state == QueuedMessageState.DELIVERED for one in queue.items)


def look_after(client: AuthenticatedClient, conversation: UUID) -> None:
    body = AppConversationUpdate(title="Greetings")
    renamed = update_app_conversation.sync(conversation, client=client, body=body)
    assert good(AppConversation, renamed).title == "Greetings"
    page = good(AppConversationPage, search_app_conversations.sync(client=client))
    assert page.items[0].id == conversation
    assert good(int, count_app_conversations.sync(client=client)) == 1
    archive = good(File, download_conversation.sync(conversation, client=client))
    assert archive.payload.read(2) == b"PK"


def look_as_owner(client: AuthenticatedClient, conversation: UUID) -> None:
    org = good(CurrentUser, get_current_user.sync(client=client)).org_id
    found = list_org_conversations.sync(org, client=client, sort_by=ListOrgConversationsSortBy.CREATED_AT)
    page = good(OrgConversationPage, found)
    assert page.total_items == 1 and page.items[0].id == str(conversation)
    one = get_org_conversation.sync(org, str(conversation), client=client)
    assert good(OrgConversationResponse, one).title == "Greetings"
    stats = good(OrgConversationStats, get_org_conversation_stats.sync(org, client=client))
    assert stats.total_conversations == 1
    assert "Greetings" in good(str, export_org_conversations.sync(org, client=client))


def pause_and_resume(client: AuthenticatedClient, conversation: UUID) -> None:
    found = good(AppConversation, get_app_conversation.sync(conversation, client=client))
    sandbox = good(UUID, found.sandbox_id)

    def reaches(status: SandboxInfoStatus) -> None:
        def ask() -> SandboxInfo | None:
            answer = good(list, batch_get_sandboxes.sync(client=client, id=[sandbox]))
            now = good(SandboxInfo, answer[0])
            return now if now.status == status else None

        until(f"The sandbox {status}", ask)

    assert good(Success, pause_sandbox.sync(str(sandbox), client=client)).success
    reaches(SandboxInfoStatus.PAUSED)
    assert good(Success, resume_sandbox.sync(str(sandbox), client=client)).success
    reaches(SandboxInfoStatus.RUNNING)


def remove(client: AuthenticatedClient, conversation: UUID) -> None:
    assert good(Success, delete_app_conversation.sync(conversation, client=client)).success
    gone = good(ErrorBody, get_app_conversation.sync(conversation, client=client))
    assert gone.code == "conversation_not_found"


def main(url: str, key: str) -> None:
    client = AuthenticatedClient(
        base_url=url,
        token=key,
        raise_on_unexpected_status=True,
        httpx_args={"event_hooks": {"request": [note]}},
    )
    conversation = start(client)
    talk(client, conversation)
    look_after(client, conversation)
    look_as_owner(client, conversation)
    pause_and_resume(client, conversation)
    remove(client, conversation)
    print(json.dumps(sorted(requests)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
