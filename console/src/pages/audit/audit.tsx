import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { BrowserDownload } from '../../parts/download';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { At } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages, RowAction, RowActions } from '../../parts/table';
import { count, exactTime, say, texts } from '../../text';
import { AuditFilterForm } from './audit-filters';
import { Details } from './details';
import { Actor, actorName, type Entry, Outcome, Target } from './entry';
import { type AuditFilters, filtersOf, queryOf } from './filters';

const words = texts.audit;

const PER_PAGE = 50;

const FORMATS = ['csv', 'jsonl', 'ocsf'] as const;

/** The audit log of the organization: which rows are shown is in the address. */
export default function Audit(): JSX.Element {
  const { id: org_id } = useOrganization();
  const address = useAddress();
  const [opened, setOpened] = useState<Entry>();
  const filters = filtersOf(address);
  const pageId = address.query['page_id'] ?? null;
  const log = useLoad(
    async (signal) => {
      const query = { ...filters, page_id: pageId, limit: PER_PAGE };
      const { items, next_page_id } = await bodyOf(
        api.GET('/api/organizations/{org_id}/audit-log', { params: { path: { org_id }, query }, signal }),
      );
      return { next_page_id, rows: items.filter((item): item is Entry => 'hash' in item) };
    },
    [org_id, queryOf(filters), pageId],
  );
  const rows = log.data?.rows ?? [];
  const first = filters.actor === null ? undefined : rows[0];
  return (
    <Page title={texts.menu.audit} actions={<Exports orgId={org_id} filters={filters} />}>
      <p>{words.about}</p>
      <AuditFilterForm
        filters={filters}
        change={address.change}
        actor={first && actorName(first)}
        actions={[...new Set(rows.map(({ action }) => action))].sort()}
      />
      <p class="visually-hidden" role="status">
        {log.data !== undefined && !log.isLoading && count(rows.length, words.found)}
      </p>
      <Shown of={log} isQuiet>
        {({ next_page_id }) => (
          <>
            {rows.length === 0 ? (
              <Empty>{queryOf(filters) === '' ? words.none : words.noMatch}</Empty>
            ) : (
              <DataTable
                caption={words.rows}
                rows={rows}
                idOf={({ id }) => id}
                columns={columns(setOpened)}
              />
            )}
            <NextPages
              name={texts.menu.audit}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => address.change({ page_id: next })}
            />
          </>
        )}
      </Shown>
      {opened !== undefined && <Details of={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

function columns(open: (entry: Entry) => void): readonly Column<Entry>[] {
  return [
    { key: 'at', name: words.at, show: ({ at }) => <At at={at} /> },
    { key: 'actor', name: words.actor, show: (entry) => <Actor of={entry} /> },
    { key: 'action', name: words.action, isHeader: true, show: ({ action }) => action },
    { key: 'target', name: words.what, show: (entry) => <Target of={entry} /> },
    { key: 'outcome', name: words.outcome, show: (entry) => <Outcome of={entry} /> },
    {
      key: 'details',
      name: texts.table.actions,
      show: (entry) => (
        <RowActions>
          <RowAction
            label={words.details}
            of={say(words.detailsOf, { action: entry.action, time: exactTime(entry.at) })}
            onClick={() => open(entry)}
          />
        </RowActions>
      ),
    },
  ];
}

/** What is shown, on all of its pages, as a file. */
function Exports({ orgId, filters }: { orgId: string; filters: AuditFilters }): JSX.Element {
  const query = queryOf(filters);
  return (
    <div class="buttons">
      {FORMATS.map((format) => (
        <BrowserDownload
          key={format}
          label={say(words.exportAs, { format: words.formats[format] })}
          path={`/api/organizations/${orgId}/audit-log/export?${query === '' ? '' : `${query}&`}format=${format}`}
        />
      ))}
    </div>
  );
}
