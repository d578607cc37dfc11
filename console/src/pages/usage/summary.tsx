import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Bars, Days } from '../../parts/charts';
import { BrowserDownload } from '../../parts/download';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { pointsOf, rowsOf, shortly, usageColumns } from '../../parts/usage';
import { money, number, texts } from '../../text';
import { Filters } from './filters';
import { exportPath, usageOf } from './operations';
import { useView, type View } from './view';

const words = texts.usage;

/** What was used in a period, as a chart, as a table and as a file. */
export function Summary(): JSX.Element {
  const organization = useOrganization();
  const view = useView();
  const { whose, group, from, to } = view;
  const usage = useLoad(
    (signal) => usageOf(organization, view, signal),
    [organization.id, whose, group, from, to],
  );
  return (
    <Page
      title={texts.menu.usage}
      actions={
        <div class="buttons">
          {organization.can('view_budgets') && <a href={organization.path('usage/calls')}>{words.toCalls}</a>}
          {whose === 'organization' && (
            <BrowserDownload label={words.download} path={exportPath(organization, view)} />
          )}
        </div>
      }
    >
      <p>{words.about[whose]}</p>
      <Filters view={view} />
      <Shown of={usage}>{(of) => <Figures of={of} view={view} />}</Shown>
    </Page>
  );
}

function Figures({ of, view }: { of: Schemas['OrgUsage']; view: View }): JSX.Element {
  const { totals, group_by: group } = of;
  const rows = rowsOf(of);
  const show = shortly(view.measure);
  const Chart = group === 'day' ? Days : Bars;
  return (
    <>
      <Facts
        of={{
          [words.measures.cost]: money(totals.accumulated_cost),
          [words.measures.conversations]: number(totals.conversations),
          [words.measures.tokens]: number(totals.total_tokens),
        }}
      />
      {rows.length === 0 ? (
        <Empty>{words.nothing}</Empty>
      ) : (
        <>
          <Chart key={group} points={pointsOf(of, view.measure)} show={show} />
          <DataTable
            caption={words.by[group]}
            rows={rows}
            idOf={({ name }) => name}
            columns={usageColumns(words.groups[group], true)}
          />
        </>
      )}
    </>
  );
}
