import type { JSX } from 'preact';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Bars } from '../../parts/charts';
import { type Loaded, useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { Facts, When } from '../../parts/show';
import { Empty, Loading, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { compact, number, texts } from '../../text';

type Overview = Schemas['OrgOverview'];

/** How it is now: what waits, and what failed. */
export function Now({ overview }: { overview: Loaded<Overview> }): JSX.Element {
  return (
    <Shown of={overview}>
      {({ queued_messages: queue, webhook_deliveries: callbacks, failures }) => (
        <>
          <Section title={texts.overview.now}>
            <Facts
              of={{
                [texts.overview.queued]: number(queue.waiting),
                [texts.overview.oldest]: queue.oldest_at && <When at={queue.oldest_at} />,
                [texts.overview.callbacks]: <Callbacks of={callbacks.waiting} />,
                [texts.overview.failedCallbacks]: <FailedCallbacks of={callbacks.failed_24h} />,
              }}
            />
          </Section>
          <Failures of={failures} />
        </>
      )}
    </Shown>
  );
}

/** The sandboxes that there are, by their state. */
export function Sandboxes({ overview }: { overview: Loaded<Overview> }): JSX.Element {
  const title = texts.overview.sandboxes;
  const { data, error } = overview;
  return (
    <Section title={title}>
      {data !== undefined ? (
        <Statuses title={title} of={data.sandboxes} names={texts.conversations.sandbox} />
      ) : error === undefined ? (
        <Loading isQuiet />
      ) : (
        // Why is said above.
        <Empty>{texts.overview.unknown}</Empty>
      )}
    </Section>
  );
}

/** A number of callbacks, with the way to them. @param props.to a page of webhooks, in place of their list */
function Callbacks({ of, to = 'webhooks' }: { of: number; to?: string | undefined }): JSX.Element {
  const { can, path } = useOrganization();
  return of > 0 && can('manage_webhooks') ? <a href={path(to)}>{number(of)}</a> : <>{number(of)}</>;
}

/** The same for those that failed: where there is one webhook only, the way to what failed of it. */
function FailedCallbacks({ of }: { of: number }): JSX.Element {
  const { id, can } = useOrganization();
  const isShown = of > 0 && can('manage_webhooks');
  const { data: only } = useLoad(
    async (signal) => {
      if (!isShown) return undefined;
      const params = { path: { org_id: id }, query: { limit: 2 } };
      const { items } = await bodyOf(api.GET('/api/organizations/{org_id}/webhooks', { params, signal }));
      return items.length === 1 ? items[0] : undefined;
    },
    [id, isShown],
  );
  return <Callbacks of={of} to={only && `webhooks/${only.id}?state=failed`} />;
}

function Failures({ of }: { of: Overview['failures'] }): JSX.Element {
  const { path } = useOrganization();
  return (
    <Section title={texts.overview.failures}>
      {of.length === 0 ? (
        <Empty>{texts.overview.noFailures}</Empty>
      ) : (
        <DataTable
          caption={texts.overview.failures}
          rows={of}
          idOf={({ conversation_id: conversation }) => conversation}
          columns={[
            {
              key: 'title',
              name: texts.overview.conversation,
              isHeader: true,
              show: ({ conversation_id: conversation, title }) => (
                <a href={path(`conversations/${conversation}`)}>{title ?? conversation}</a>
              ),
            },
            {
              key: 'user',
              name: texts.conversations.columns.user_email,
              show: ({ user_email }) => user_email ?? texts.console.serviceAccount,
            },
            { key: 'failed', name: texts.overview.failed, show: ({ failed }) => texts.overview.what[failed] },
            {
              key: 'detail',
              name: texts.overview.why,
              show: ({ code, detail }) => [code, detail].filter(Boolean).join(': ') || '–',
            },
            { key: 'at', name: texts.overview.at, show: ({ updated_at }) => <When at={updated_at} /> },
          ]}
        />
      )}
    </Section>
  );
}

const STATUSES = { ...texts.conversations.execution, none: texts.conversations.notStarted };

/** All conversations that there are, by their status. */
export function ByStatus(): JSX.Element {
  const { id } = useOrganization();
  const params = { path: { org_id: id } };
  const stats = useLoad(
    (signal) => bodyOf(api.GET('/api/organizations/{org_id}/conversations/stats', { params, signal })),
    [id],
  );
  const title = texts.overview.byStatus;
  return (
    <Section title={title}>
      <Shown of={stats} isQuiet>
        {({ by_execution_status: of }) => <Statuses title={title} of={of} names={STATUSES} />}
      </Shown>
    </Section>
  );
}

/** How it is in the organization now. */
export function useOverview(): Loaded<Overview> {
  const { id } = useOrganization();
  const params = { path: { org_id: id } };
  return useLoad(
    (signal) => bodyOf(api.GET('/api/organizations/{org_id}/overview', { params, signal })),
    [id],
  );
}

/** How many are in which status. */
function Statuses<Status extends string>(props: {
  title: string;
  of: Readonly<Record<Status, number>>;
  names: Readonly<Record<Status, string>>;
}): JSX.Element {
  const { title, of, names } = props;
  const points = Object.keys(names)
    .filter((status): status is Status => status in of)
    .map((status) => ({ name: names[status], value: of[status] }));
  return (
    <>
      <Bars points={points} show={compact} />
      <details>
        <summary>{texts.overview.figures}</summary>
        <DataTable
          caption={title}
          rows={points}
          idOf={({ name }) => name}
          columns={[
            { key: 'status', name: texts.overview.status, isHeader: true, show: ({ name }) => name },
            { key: 'count', name: texts.overview.count, isFigure: true, show: ({ value }) => number(value) },
          ]}
        />
      </details>
    </>
  );
}
