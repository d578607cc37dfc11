import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { Field } from '../../parts/field';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { SearchText } from '../../parts/search-text';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, Pager } from '../../parts/table';
import { compact, day, exactMoney, number, say, texts } from '../../text';
import { type Price, pricesOf } from './operations';

const words = texts.modelPolicy;

const PER_PAGE = 25;

/** What models cost, since when, and who says so: those whose name has what is looked for. */
export function Prices(): JSX.Element {
  const organization = useOrganization();
  const { query, change } = useAddress();
  const search = query['model'] ?? '';
  const isAllowedOnly = query['allowed'] === 'true';
  const prices = useLoad((signal) => pricesOf(organization, signal), [organization.id]);
  const isShown = ({ model, allowed }: Price): boolean =>
    model.toLowerCase().includes(search.trim().toLowerCase()) && (!isAllowedOnly || allowed !== false);
  return (
    <Section title={words.prices}>
      <p>{words.pricesAbout}</p>
      <search aria-label={words.prices}>
        <div class="filters">
          <Field label={words.search}>
            <SearchText
              value={search}
              onSearch={(text) => change({ model: text || null, page: null }, true)}
            />
          </Field>
          <label>
            <input
              type="checkbox"
              checked={isAllowedOnly}
              onChange={({ currentTarget }) =>
                change({ allowed: currentTarget.checked ? 'true' : null, page: null })
              }
            />
            {words.allowedOnly}
          </label>
        </div>
      </search>
      <Shown of={prices} isQuiet>
        {({ items, unknown_refused: isRefused }) => (
          <>
            <List rows={items.filter(isShown)} />
            <p>{isRefused ? words.unknownRefused : words.unknownCounted}</p>
          </>
        )}
      </Shown>
    </Section>
  );
}

function List({ rows }: { rows: readonly Price[] }): JSX.Element {
  const { query, change } = useAddress();
  const pages = Math.max(1, Math.ceil(rows.length / PER_PAGE));
  const wanted = Number(query['page'] ?? '1');
  const page = Number.isInteger(wanted) ? Math.min(Math.max(1, wanted), pages) : 1;
  if (rows.length === 0) return <Empty>{words.noPrice}</Empty>;
  return (
    <>
      <DataTable
        caption={words.prices}
        rows={rows.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        idOf={({ source, model }) => `${source} ${model}`}
        columns={COLUMNS}
      />
      <Pager
        page={page}
        perPage={PER_PAGE}
        total={rows.length}
        onPage={(next) => change({ page: String(next) })}
      />
    </>
  );
}

type RateName = 'input' | 'output' | 'cache_read' | 'cache_write';

/** A price for a million tokens, and what much input costs where that is more. */
function rate(name: RateName): Column<Price> {
  return {
    key: name,
    name: words.rates[name],
    isFigure: true,
    show: ({ [name]: price, beyond }) => (
      <>
        {exactMoney(price)}
        {beyond !== null && beyond[name] !== price && (
          <small class="below">
            {say(words.beyond, {
              price: exactMoney(beyond[name]),
              tokens: compact(beyond.tokens),
            })}
          </small>
        )}
      </>
    ),
  };
}

const COLUMNS: readonly Column<Price>[] = [
  {
    key: 'model',
    name: words.model,
    isHeader: true,
    show: ({ model, allowed }) => (
      <>
        {model} {allowed === false && <mark>{words.notAllowed}</mark>}
      </>
    ),
  },
  rate('input'),
  rate('output'),
  rate('cache_read'),
  rate('cache_write'),
  {
    key: 'largest_output',
    name: words.largestOutputOf,
    isFigure: true,
    show: ({ largest_output: most }) => (most === null ? '–' : number(most)),
  },
  {
    key: 'source',
    name: words.source,
    show: ({ source, as_of }) => (
      <>
        {words.sources[source]}
        {as_of !== null && (
          <small class="below">
            <time dateTime={as_of}>{day(as_of)}</time>
          </small>
        )}
      </>
    ),
  },
];
