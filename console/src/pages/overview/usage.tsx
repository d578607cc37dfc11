import type { JSX } from 'preact';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Bars, Days } from '../../parts/charts';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import {
  MEASURES,
  pointsOf,
  type Row,
  rowsOf,
  shortly,
  usageColumns,
  type UsageGroup,
} from '../../parts/usage';
import { money, number, texts } from '../../text';
import { useView } from './period';

const words = texts.usage;

/** What the organization has used in the period, in all and by day. */
export function ByDay(): JSX.Element {
  const usage = useUsage('day');
  const { path } = useOrganization();
  return (
    <Section title={words.by.day} actions={<a href={path('usage')}>{texts.overview.more}</a>}>
      <Shown of={usage} isQuiet>
        {(of) => (
          <>
            <Facts
              of={{
                [words.measures.conversations]: number(of.totals.conversations),
                [words.measures.cost]: money(of.totals.accumulated_cost),
                [words.measures.tokens]: number(of.totals.total_tokens),
              }}
            />
            <div class="charts">
              {MEASURES.map((measure) => (
                <div key={measure}>
                  <h3 aria-hidden="true">{words.measures[measure]}</h3>
                  <Days points={pointsOf(of, measure)} show={shortly(measure)} />
                </div>
              ))}
            </div>
            <Figures group="day" rows={rowsOf(of)} />
          </>
        )}
      </Shown>
    </Section>
  );
}

/** What was used in the period by each model, user, repository or tag: the chosen figure as a chart. */
export function By({ group }: { group: Exclude<UsageGroup, 'day'> }): JSX.Element {
  const usage = useUsage(group);
  const { measure } = useView();
  return (
    <Section title={words.by[group]}>
      <Shown of={usage} isQuiet>
        {(of) =>
          of.items.length === 0 ? (
            <Empty>{words.nothing}</Empty>
          ) : (
            <>
              <Bars points={pointsOf(of, measure)} show={shortly(measure)} />
              <Figures group={group} rows={rowsOf(of)} />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function Figures({ group, rows }: { group: UsageGroup; rows: readonly Row[] }): JSX.Element {
  return (
    <details>
      <summary>{texts.overview.figures}</summary>
      <DataTable
        caption={words.by[group]}
        rows={rows}
        idOf={({ name }) => name}
        columns={usageColumns(words.groups[group])}
      />
    </details>
  );
}

function useUsage(group: UsageGroup) {
  const { id } = useOrganization();
  const { from } = useView();
  return useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/usage', {
          params: { path: { org_id: id }, query: { group_by: group, from } },
          signal,
        }),
      ),
    [id, group, from],
  );
}
