"""The organization list as a FastAPI service has it, over the tables of this one: FastAPI, pydantic, SQLAlchemy and asyncpg as
their documentation uses them. What an engineer would write first, and what measurements compare with.

    DATABASE_URL=postgresql://… uvicorn --app-dir bench/fastapi service:app
"""

import hashlib
import os
import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, FastAPI, Header, HTTPException, Query
from pydantic import BaseModel
from sqlalchemy import ARRAY, BigInteger, ColumnElement, DateTime, Select, String, cast, func, or_, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

engine = create_async_engine(re.sub("^postgres(ql)?:", "postgresql+asyncpg:", os.environ["DATABASE_URL"]))
sessions = async_sessionmaker(engine, expire_on_commit=False)
app = FastAPI()


class Base(DeclarativeBase):
    type_annotation_map = {datetime: DateTime(timezone=True), list[int]: ARRAY(BigInteger), dict[str, Any]: JSONB}


class ApiKey(Base):
    __tablename__ = "api_keys"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[UUID]
    org_id: Mapped[UUID | None]
    digest: Mapped[str]
    expires_at: Mapped[datetime | None]


class OrgMember(Base):
    __tablename__ = "org_members"
    org_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    role: Mapped[str]


class User(Base):
    __tablename__ = "users"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    email: Mapped[str]
    name: Mapped[str | None]


class Sandbox(Base):
    __tablename__ = "sandboxes"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    status: Mapped[str]
    base_url: Mapped[str | None]


class Conversation(Base):
    __tablename__ = "conversations"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    org_id: Mapped[UUID]
    created_by_user_id: Mapped[UUID]
    parent_conversation_id: Mapped[UUID | None]
    sandbox_id: Mapped[UUID | None]
    start_state: Mapped[str]
    title: Mapped[str | None]
    llm_model: Mapped[str | None]
    agent_kind: Mapped[str]
    execution_status: Mapped[str | None]
    selected_repository: Mapped[str | None]
    selected_branch: Mapped[str | None]
    git_provider: Mapped[str | None]
    trigger: Mapped[str | None]
    pr_number: Mapped[list[int]]
    pr_merged: Mapped[bool | None]
    tags: Mapped[dict[str, Any]]
    accumulated_cost: Mapped[float]
    prompt_tokens: Mapped[int] = mapped_column(BigInteger)
    completion_tokens: Mapped[int] = mapped_column(BigInteger)
    cache_read_tokens: Mapped[int] = mapped_column(BigInteger)
    cache_write_tokens: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]
    sort_title: Mapped[str | None]
    sort_model: Mapped[str | None]


class ExecutionStatus(StrEnum):
    idle = "idle"
    running = "running"
    paused = "paused"
    finished = "finished"
    error = "error"
    stuck = "stuck"


class SandboxStatus(StrEnum):
    STARTING = "STARTING"
    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    ERROR = "ERROR"
    MISSING = "MISSING"


class SortKey(StrEnum):
    created_at = "created_at"
    updated_at = "updated_at"
    llm_model = "llm_model"
    accumulated_cost = "accumulated_cost"
    title = "title"


class SortOrder(StrEnum):
    desc = "desc"
    asc = "asc"


class TimeWindow(StrEnum):
    all = "all"
    week = "7d"
    month = "30d"
    quarter = "90d"


class ConversationItem(BaseModel):
    id: UUID
    user_id: UUID
    title: str | None
    llm_model: str | None
    agent_kind: str
    user_email: str | None
    created_at: datetime
    updated_at: datetime
    sandbox_id: UUID | None
    sandbox_status: SandboxStatus | None
    runtime_url: str | None
    execution_status: ExecutionStatus | None
    selected_repository: str | None
    selected_branch: str | None
    git_provider: str | None
    trigger: str | None
    pr_number: list[int]
    pr_merged: bool | None
    tags: dict[str, Any]
    accumulated_cost: float
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


class ConversationPage(BaseModel):
    items: list[ConversationItem]
    total_items: int
    page: int
    per_page: int
    total_pages: int
    pagination_accurate: bool


class ListQuery(BaseModel):
    search: str | None = None
    sort_by: SortKey = SortKey.updated_at
    sort_order: SortOrder = SortOrder.desc
    execution_status: list[ExecutionStatus] = []
    sandbox_status: SandboxStatus | None = None
    time_window: TimeWindow = TimeWindow.all
    include_sub_conversations: bool = False
    page: int = Query(1, ge=1)
    per_page: int = Query(20, ge=1, le=100)


async def open_session() -> AsyncIterator[AsyncSession]:
    async with sessions() as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session)]


async def check_admin(org_id: UUID, session: Session, x_access_token: Annotated[str, Header()]) -> None:
    digest = hashlib.sha256(x_access_token.encode()).hexdigest()
    key = (await session.execute(select(ApiKey).where(ApiKey.digest == digest))).scalar_one_or_none()
    if key is None or (key.expires_at is not None and key.expires_at < datetime.now(timezone.utc)):
        raise HTTPException(401, "The key is not valid.")
    member = await session.get(OrgMember, (org_id, key.user_id))
    if member is None or member.role == "member" or key.org_id not in (None, org_id):
        raise HTTPException(403, "Only admins see the conversations of an organization.")


SORT_COLUMNS = {
    SortKey.created_at: Conversation.created_at,
    SortKey.updated_at: Conversation.updated_at,
    SortKey.llm_model: Conversation.sort_model,
    SortKey.accumulated_cost: Conversation.accumulated_cost,
    SortKey.title: Conversation.sort_title,
}
NULLABLE = (SortKey.llm_model, SortKey.title)
DAYS = {TimeWindow.week: 7, TimeWindow.month: 30, TimeWindow.quarter: 90}


def conditions(org_id: UUID, query: ListQuery) -> list[ColumnElement[bool]]:
    wanted = [Conversation.org_id == org_id, Conversation.deleted_at.is_(None)]
    if not query.include_sub_conversations:
        wanted.append(Conversation.parent_conversation_id.is_(None))
    if query.execution_status:
        wanted.append(Conversation.execution_status.in_(query.execution_status))
    if query.sandbox_status is not None:
        wanted.append(Sandbox.status == query.sandbox_status)
    if query.time_window in DAYS:
        wanted.append(Conversation.created_at >= datetime.now(timezone.utc) - timedelta(days=DAYS[query.time_window]))
    if query.search:
        places = (Conversation.title, User.name, User.email, cast(Conversation.sandbox_id, String))
        wanted.append(or_(*(place.icontains(query.search, autoescape=True) for place in places)))
    return wanted


def in_order(statement: Select[Any], query: ListQuery) -> Select[Any]:
    columns: list[ColumnElement[Any]] = [SORT_COLUMNS[query.sort_by], Conversation.id]
    if query.sort_order == SortOrder.desc:
        columns = [column.desc() for column in columns]
    if query.sort_by in NULLABLE:
        columns[0] = columns[0].nulls_last()
    return statement.order_by(*columns)


def joined(statement: Select[Any]) -> Select[Any]:
    return (
        statement.select_from(Conversation)
        .outerjoin(User, User.id == Conversation.created_by_user_id)
        .outerjoin(Sandbox, Sandbox.id == Conversation.sandbox_id)
    )


def shown_status(conversation: Conversation, status: str | None) -> str:
    if status is None:
        if conversation.sandbox_id is not None:
            return SandboxStatus.MISSING
        return SandboxStatus.ERROR if conversation.start_state == "failed" else SandboxStatus.STARTING
    if conversation.start_state == "starting" and status in ("RUNNING", "PAUSED"):
        return SandboxStatus.STARTING
    return status


def item(conversation: Conversation, email: str | None, status: str | None, base_url: str | None) -> ConversationItem:
    shown = shown_status(conversation, status)
    is_reachable = shown == SandboxStatus.RUNNING and base_url is not None
    return ConversationItem(
        id=conversation.id,
        user_id=conversation.created_by_user_id,
        title=conversation.title,
        llm_model=conversation.llm_model,
        agent_kind=conversation.agent_kind,
        user_email=email,
        created_at=conversation.created_at,
        updated_at=conversation.updated_at,
        sandbox_id=conversation.sandbox_id,
        sandbox_status=shown,
        runtime_url=f"{base_url}/api/conversations/{conversation.id}" if is_reachable else None,
        execution_status=conversation.execution_status,
        selected_repository=conversation.selected_repository,
        selected_branch=conversation.selected_branch,
        git_provider=conversation.git_provider,
        trigger=conversation.trigger,
        pr_number=conversation.pr_number,
        pr_merged=conversation.pr_merged,
        tags=conversation.tags,
        accumulated_cost=conversation.accumulated_cost,
        prompt_tokens=conversation.prompt_tokens,
        completion_tokens=conversation.completion_tokens,
        total_tokens=conversation.prompt_tokens + conversation.completion_tokens,
        cache_read_tokens=conversation.cache_read_tokens,
        cache_write_tokens=conversation.cache_write_tokens,
    )


@app.get("/api/organizations/{org_id}/conversations", dependencies=[Depends(check_admin)])
async def list_conversations(org_id: UUID, session: Session, query: Annotated[ListQuery, Query()]) -> ConversationPage:
    wanted = conditions(org_id, query)
    # Joins are made for the total only where a filter looks at what they find.
    count = select(func.count())
    count = joined(count) if query.search or query.sandbox_status else count.select_from(Conversation)
    total = (await session.execute(count.where(*wanted))).scalar_one()
    page = joined(select(Conversation, User.email, Sandbox.status, Sandbox.base_url)).where(*wanted)
    page = in_order(page, query).offset((query.page - 1) * query.per_page).limit(query.per_page)
    rows = (await session.execute(page)).all()
    return ConversationPage(
        items=[item(*row) for row in rows],
        total_items=total,
        page=query.page,
        per_page=query.per_page,
        total_pages=-(-total // query.per_page),
        pagination_accurate=True,
    )
