import type { JSX } from 'preact';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { Facts } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { DataTable } from '../../parts/table';
import { day, money, number, shortDay, texts } from '../../text';
import { Bars, Days } from './charts';
import { figureOf, pointsOf, type Row, shortly, usageColumns } from './figures';
import { MEASURES, useView } from './period';

type Grouping = Schemas['OrgUsage']['group_by'];

/** What the organization has used in the period, in all and by day. */
export function ByDay(): JSX.Element {
  const usage = useUsage('day');
  return (
    <Section title={texts.overview.byDay}>
      <Shown of={usage} isQuiet>
        {({ totals, items }) => {
          const rows = items.map((item) => ({ ...item, name: day(item.value ?? '') }));
          return (
            <>
              <Facts
                of={{
                  [texts.overview.measures.conversations]: number(totals.conversations),
                  [texts.overview.measures.cost]: money(totals.accumulated_cost),
                  [texts.overview.measures.tokens]: number(totals.total_tokens),
                }}
              />
              <div class="charts">
                {MEASURES.map((measure) => (
                  <div key={measure}>
                    <h3 aria-hidden="true">{texts.overview.measures[measure]}</h3>
                    <Days
                      points={items.map((item) => ({
                        name: shortDay(item.value ?? ''),
                        value: figureOf(item, measure),
                      }))}
                      show={shortly(measure)}
                    />
                  </div>
                ))}
              </div>
              <Figures caption={texts.overview.byDay} name={texts.overview.day} rows={rows} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

/** As many are drawn; the table has all. */
const MOST_BARS = 10;

/** What was used in the period by each model, user, repository or tag: the chosen figure as a chart. */
export function By({ group }: { group: Exclude<Grouping, 'day'> }): JSX.Element {
  const usage = useUsage(group);
  const { measure } = useView();
  return (
    <Section title={texts.overview.by[group]}>
      <Shown of={usage} isQuiet>
        {({ items, others }) => {
          const rows: Row[] = items.map((item) => ({
            ...item,
            name: item.user_email ?? item.value ?? texts.overview.without[group],
          }));
          if (rows.length === 0) return <Empty>{texts.overview.nothing}</Empty>;
          const drawn = [...rows]
            .sort((one, other) => figureOf(other, measure) - figureOf(one, measure))
            .slice(0, MOST_BARS);
          const all =
            others.conversations === 0 ? rows : [...rows, { ...others, name: texts.overview.others }];
          return (
            <>
              <Bars points={pointsOf(drawn, measure)} show={shortly(measure)} />
              <Figures caption={texts.overview.by[group]} name={texts.overview.groups[group]} rows={all} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function Figures(props: { caption: string; name: string; rows: readonly Row[] }): JSX.Element {
  return (
    <details>
      <summary>{texts.overview.figures}</summary>
      <DataTable
        caption={props.caption}
        rows={props.rows}
        idOf={({ name }) => name}
        columns={usageColumns(props.name)}
      />
    </details>
  );
}

function useUsage(group: Grouping) {
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
