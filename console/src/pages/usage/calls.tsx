import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { At } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages } from '../../parts/table';
import { money, number, say, texts } from '../../text';
import { CallFilterForm } from './call-filters';
import { type Call, callsOf, filtersOf, isFiltered } from './call-operations';

const words = texts.calls;

/** Every call of a model through the gateway, the newest first. */
export function Calls(): JSX.Element {
  const organization = useOrganization();
  const { query, change } = useAddress();
  const filters = filtersOf(query);
  const pageId = query['page_id'] ?? null;
  const calls = useLoad(
    (signal) => callsOf(organization, filters, pageId, signal),
    [organization.id, JSON.stringify(filters), pageId],
  );
  return (
    <Page title={words.title} actions={<a href={organization.path('usage')}>{words.back}</a>}>
      <p>{words.about}</p>
      <CallFilterForm filters={filters} change={change} />
      <Shown of={calls}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty>{isFiltered(filters) ? words.noMatch : words.none}</Empty>
            ) : (
              <DataTable caption={words.title} rows={items} idOf={({ id }) => id} columns={COLUMNS} />
            )}
            <NextPages
              name={words.title}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => change({ page_id: next })}
            />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** Whose it is; the others of theirs are a click away. */
function User({ of: { user_id: id, user_email: email } }: { of: Call }): JSX.Element {
  const { path } = useOrganization();
  return <a href={path(`usage/calls?user_id=${id}`)}>{email ?? id}</a>;
}

/** As much of an id tells conversations apart for whoever looks. */
const ID_SHOWN = 8;

function Conversation({ of: { conversation_id: id, repository } }: { of: Call }): JSX.Element {
  const { path } = useOrganization();
  return (
    <>
      <a href={path(`conversations/${id}`)} title={id}>
        {id.slice(0, ID_SHOWN)}
      </a>
      {repository !== null && <small class="below">{repository}</small>}
    </>
  );
}

/** How it ended, and what is to be known of that. */
function Status({ of }: { of: Call }): JSX.Element {
  const { status, http_status: answered, usage_reported: isReported } = of;
  const name = words.statuses[status];
  return (
    <>
      {status === 'ok' || status === 'reserved' ? name : <mark>{name}</mark>}
      {answered !== null && answered !== 200 && (
        <small class="below">{say(words.answered, { status: String(answered) })}</small>
      )}
      {status === 'lost' && <small class="below">{words.lostText}</small>}
      {status !== 'lost' && status !== 'reserved' && !isReported && of.cost > 0 && (
        <small class="below">{words.counted}</small>
      )}
    </>
  );
}

/** What it cost; while it is under way, the most that it can. */
function Cost({ of }: { of: Call }): JSX.Element {
  return of.status === 'reserved' ? (
    <>{say(words.atMost, { cost: money(of.reserved_usd) })}</>
  ) : (
    <>{money(of.cost)}</>
  );
}

function Prompt({ of }: { of: Call }): JSX.Element {
  const { prompt_tokens: prompt, cache_read_tokens: read, cache_write_tokens: written } = of;
  return (
    <>
      {number(prompt)}
      {read > 0 && <small class="below">{say(words.cacheRead, { tokens: read })}</small>}
      {written > 0 && <small class="below">{say(words.cacheWritten, { tokens: written })}</small>}
    </>
  );
}

function Duration({ of: { latency_ms: ms, first_byte_ms: first } }: { of: Call }): JSX.Element {
  if (ms === null) return <>–</>;
  return (
    <>
      {say(words.milliseconds, { ms })}
      {first !== null && <small class="below">{say(words.firstByte, { ms: first })}</small>}
    </>
  );
}

const COLUMNS: readonly Column<Call>[] = [
  { key: 'at', name: words.at, isHeader: true, show: ({ at }) => <At at={at} /> },
  {
    key: 'model',
    name: words.model,
    show: ({ model, provider }) => (
      <>
        {model}
        {!model.startsWith(`${provider}/`) && <small class="below">{provider}</small>}
      </>
    ),
  },
  { key: 'user', name: words.user, show: (call) => <User of={call} /> },
  { key: 'cost', name: words.cost, isFigure: true, show: (call) => <Cost of={call} /> },
  { key: 'status', name: words.status, show: (call) => <Status of={call} /> },
  { key: 'prompt', name: texts.usage.promptTokens, isFigure: true, show: (call) => <Prompt of={call} /> },
  {
    key: 'completion',
    name: texts.usage.completionTokens,
    isFigure: true,
    show: ({ completion_tokens: tokens }) => number(tokens),
  },
  { key: 'duration', name: words.duration, isFigure: true, show: (call) => <Duration of={call} /> },
  { key: 'conversation', name: words.conversation, show: (call) => <Conversation of={call} /> },
];
