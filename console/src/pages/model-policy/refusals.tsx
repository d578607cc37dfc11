import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable } from '../../parts/table';
import { number, texts } from '../../text';
import { type Refusal, refusalsOf } from './operations';

const words = texts.modelPolicy;

/** What was refused in the last day, counted. */
export function Refusals(): JSX.Element {
  const organization = useOrganization();
  const refusals = useLoad((signal) => refusalsOf(organization, signal), [organization.id]);
  return (
    <Section
      title={words.refusals}
      actions={
        <button type="button" class="secondary outline" onClick={refusals.reload}>
          {words.lookAgain}
        </button>
      }
    >
      <Shown of={refusals} isQuiet>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{words.noRefusals}</Empty>
          ) : (
            <DataTable
              caption={words.refusals}
              rows={items}
              idOf={({ code, model }) => `${code} ${model}`}
              columns={COLUMNS}
            />
          )
        }
      </Shown>
    </Section>
  );
}

/** What the service puts for all models that it did not count by name. */
const OTHERS = '*';

const COLUMNS: readonly Column<Refusal>[] = [
  {
    key: 'model',
    name: words.model,
    isHeader: true,
    show: ({ model }) => (model === OTHERS ? words.otherModels : model),
  },
  {
    key: 'code',
    name: words.why,
    show: ({ code }) => (
      <>
        {words.codes[code]}
        <small class="below">{code}</small>
      </>
    ),
  },
  { key: 'count', name: words.count, isFigure: true, show: ({ count }) => number(count) },
  { key: 'last_at', name: words.lastAt, show: ({ last_at }) => <When at={last_at} /> },
];
