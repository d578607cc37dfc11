import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../../parts/load';
import { Page } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, type Sort } from '../../parts/table';
import { count, texts } from '../../text';
import { type Row, useColumns } from './columns';
import { Filters } from './filters';
import { type ChangeList, isFiltered, type ListState } from './list-state';

const words = texts.conversations;

/** One page of a list. */
export interface Listed {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** A page of a list of conversations, with everything that changes what it shows. */
export function Listing<T extends Listed>(props: {
  listed: Loaded<T>;
  state: ListState;
  change: ChangeList;
  columns: readonly Column<Row>[];
  ofOrganization: boolean;
  onSort: (sort: Sort) => void;
  /** Beside the choice of columns. */
  actions?: ComponentChildren;
  /** What leads to other pages. */
  pager: (data: T) => ComponentChildren;
}): JSX.Element {
  const { listed, state, change, pager } = props;
  const { shown, chooser } = useColumns(props.columns);
  return (
    <Page
      title={texts.menu.conversations}
      actions={
        <div class="buttons">
          {chooser}
          {props.actions}
        </div>
      }
    >
      <Filters {...{ state, change }} ofOrganization={props.ofOrganization} />
      <p class="visually-hidden" role="status">
        {listed.data !== undefined && !listed.isLoading && count(listed.data.total, words.found)}
      </p>
      <Shown of={listed}>
        {(data) => (
          <>
            {data.rows.length === 0 ? (
              <Empty>{isFiltered(state) || data.total > 0 ? words.noMatch : words.none}</Empty>
            ) : (
              <DataTable
                caption={texts.menu.conversations}
                columns={shown}
                rows={data.rows}
                idOf={({ id }) => id}
                sort={{ by: state.sort_by, order: state.sort_order }}
                onSort={props.onSort}
              />
            )}
            {pager(data)}
          </>
        )}
      </Shown>
    </Page>
  );
}
