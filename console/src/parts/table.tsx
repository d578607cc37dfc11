import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { number, say, count, texts } from '../text';

/** One column of a table. */
export interface Column<T> {
  readonly key: string;
  readonly name: string;
  readonly show: (row: T) => ComponentChildren;
  /** Figures stand to the end of their column. */
  readonly isFigure?: boolean;
  /** Whether it says what the row is: the header of the row. */
  readonly isHeader?: boolean;
  /** Whether the table can be sorted by it. */
  readonly sorts?: boolean;
}

/** What a table is sorted by. */
export interface Sort {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

/** A table of a list; narrower than its columns it scrolls by itself, by keyboard too. */
export function DataTable<T>(props: {
  /** What the rows are, for people who do not see them. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
}): JSX.Element {
  const { caption, columns, rows, sort } = props;
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={column.isFigure ? 'figure' : undefined}
                aria-sort={
                  sort?.by === column.key ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined
                }
              >
                {column.sorts ? (
                  <SortButton column={column} sort={sort} onSort={props.onSort} />
                ) : (
                  column.name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={props.idOf(row)}>
              {columns.map((column) =>
                column.isHeader ? (
                  <th key={column.key} scope="row" dir="auto">
                    {column.show(row)}
                  </th>
                ) : (
                  <td key={column.key} class={column.isFigure ? 'figure' : undefined} dir="auto">
                    {column.show(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortButton<T>(props: {
  column: Column<T>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}): JSX.Element {
  const { column, sort, onSort } = props;
  const isSorted = sort?.by === column.key;
  const order = isSorted && sort.order === 'desc' ? 'asc' : 'desc';
  const label = order === 'asc' ? texts.table.sortUp : texts.table.sortDown;
  return (
    <button
      type="button"
      class="sort"
      aria-label={say(label, { name: column.name })}
      onClick={() => onSort?.({ by: column.key, order })}
    >
      {column.name}
      <span aria-hidden="true">{isSorted ? (sort.order === 'asc' ? ' ▲' : ' ▼') : ''}</span>
    </button>
  );
}

/** Pages of a list, at any distance. */
export function Pager(props: {
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
}): JSX.Element {
  const { page, perPage, total, onPage } = props;
  const pages = Math.max(1, Math.ceil(total / perPage));
  return (
    <nav class="pager" aria-label={texts.table.page}>
      <span>{count(total, texts.table.total)}</span>
      <button type="button" class="secondary outline" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {texts.table.previous}
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = Number(new FormData(event.currentTarget).get('page'));
          if (Number.isInteger(wanted)) onPage(Math.min(Math.max(1, wanted), pages));
        }}
      >
        <label>
          {texts.table.page}
          <input
            name="page"
            type="number"
            inputMode="numeric"
            min={1}
            max={pages}
            key={page}
            defaultValue={page}
          />
        </label>
        <span>{say(texts.table.ofPages, { pages: number(pages) })}</span>
        <button type="submit" class="secondary outline">
          {texts.table.go}
        </button>
      </form>
      <button
        type="button"
        class="secondary outline"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        {texts.table.next}
      </button>
    </nav>
  );
}

/** Pages of a list of which each names the next one; Back leads to those before. */
export function NextPages(props: {
  /** What is listed. */
  name: string;
  pageId: string | null;
  nextPageId: string | null;
  onPage: (pageId: string | null) => void;
}): JSX.Element | null {
  const { name, pageId, nextPageId, onPage } = props;
  if (pageId === null && nextPageId === null) return null;
  return (
    <nav class="pager" aria-label={say(texts.table.pagesOf, { name })}>
      {pageId !== null && (
        <button type="button" class="secondary outline" onClick={() => onPage(null)}>
          {texts.table.first}
        </button>
      )}
      {nextPageId !== null && (
        <button type="button" class="secondary outline" onClick={() => onPage(nextPageId)}>
          {texts.table.next}
        </button>
      )}
    </nav>
  );
}

/** The buttons of a row. */
export function RowActions({ children }: { children: ComponentChildren }): JSX.Element {
  return <div class="row-actions">{children}</div>;
}

/** A button of a row. @param props.of what the row is, for people who do not see it */
export function RowAction(
  props: { label: string; of: string; onClick: () => void; 'data-step'?: number } & Pick<
    ButtonHTMLAttributes,
    'disabled'
  >,
): JSX.Element {
  const { label, of, ...button } = props;
  return (
    <button type="button" class="secondary outline" aria-label={`${label}: ${of}`} {...button}>
      {label}
    </button>
  );
}
