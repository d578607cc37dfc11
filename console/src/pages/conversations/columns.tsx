import type { JSX } from 'preact';
import { Dropdown } from '../../parts/dropdown';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { When } from '../../parts/show';
import type { Column } from '../../parts/table';
import { cut, money, number, texts } from '../../text';
import { executionText, sandboxText, tagTexts } from './conversation-texts';

/** What the list shows of a conversation, whoever lists it. */
export type Row = Pick<
  Schemas['OrgConversationResponse'],
  | 'id'
  | 'title'
  | 'user_email'
  | 'execution_status'
  | 'llm_model'
  | 'selected_repository'
  | 'selected_branch'
  | 'pr_number'
  | 'trigger'
  | 'tags'
  | 'accumulated_cost'
  | 'total_tokens'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'created_at'
  | 'updated_at'
> & { readonly sandbox_status: string | null };

type Key = keyof typeof texts.conversations.columns;

const TITLE_LENGTH = 120;

const column = (key: Key, show: Column<Row>['show'], more: Partial<Column<Row>> = {}): Column<Row> => ({
  key,
  name: texts.conversations.columns[key],
  show,
  ...more,
});

/** The column of a text that may be null. */
const textColumn = (key: 'llm_model' | 'selected_repository' | 'selected_branch' | 'trigger'): Column<Row> =>
  column(key, (row) => cut(row[key] ?? '–', TITLE_LENGTH));

const figure = { isFigure: true } as const;

/** All columns, in their order. */
export const COLUMNS: readonly Column<Row>[] = [
  column('title', (row) => <TitleLink row={row} />, { isHeader: true }),
  // Whoever has no address is no person.
  column('user_email', (row) => cut(row.user_email ?? texts.console.serviceAccount, TITLE_LENGTH)),
  column('execution_status', (row) => executionText(row.execution_status)),
  column('sandbox_status', (row) => sandboxText(row.sandbox_status)),
  textColumn('llm_model'),
  textColumn('selected_repository'),
  textColumn('selected_branch'),
  column('pr_number', (row) => row.pr_number.map((pr) => `#${pr}`).join(', ') || '–'),
  textColumn('trigger'),
  column('tags', (row) => cut(tagTexts(row.tags).join(', ') || '–', TITLE_LENGTH)),
  column('accumulated_cost', (row) => money(row.accumulated_cost), figure),
  column('total_tokens', (row) => number(row.total_tokens), figure),
  column('prompt_tokens', (row) => number(row.prompt_tokens), figure),
  column('completion_tokens', (row) => number(row.completion_tokens), figure),
  column('created_at', (row) => <When at={row.created_at} />),
  column('updated_at', (row) => <When at={row.updated_at} />),
];

function TitleLink({ row }: { row: Row }): JSX.Element {
  const organization = useOrganization();
  return (
    <a href={organization.path(`conversations/${row.id}`)}>
      {cut(row.title?.trim() || texts.conversations.untitled, TITLE_LENGTH)}
    </a>
  );
}

const SHOWN_BY_DEFAULT: readonly string[] = [
  'user_email',
  'execution_status',
  'sandbox_status',
  'llm_model',
  'accumulated_cost',
  'updated_at',
] satisfies Key[];

const PLACE = 'console.conversations.columns';

/** The keys of the columns that this browser's reader wants to see beside the title. */
function chosenColumns(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? 'null');
    if (Array.isArray(kept)) return kept.map(String);
  } catch {
    // A browser that keeps nothing for pages, or something else under this name.
  }
  return SHOWN_BY_DEFAULT;
}

/**
 * The columns of a list, and what chooses them.
 * @param all those that the list can show
 */
export function useColumns(all: readonly Column<Row>[]): {
  readonly shown: readonly Column<Row>[];
  readonly chooser: JSX.Element;
} {
  const [chosen, setChosen] = useState(chosenColumns);
  const isShown = ({ key, isHeader }: Column<Row>): boolean => isHeader === true || chosen.includes(key);
  const choose = (key: string, isWanted: boolean): void => {
    const next = isWanted ? [...chosen, key] : chosen.filter((one) => one !== key);
    setChosen(next);
    try {
      localStorage.setItem(PLACE, JSON.stringify(next));
    } catch {
      // It is forgotten with the page.
    }
  };
  return {
    shown: all.filter(isShown),
    chooser: (
      <Dropdown name={texts.conversations.chooseColumns} isButton>
        <ul>
          {all
            .filter(({ isHeader }) => isHeader !== true)
            .map((one) => (
              <li key={one.key}>
                <label>
                  <input
                    type="checkbox"
                    checked={isShown(one)}
                    onChange={(event) => choose(one.key, event.currentTarget.checked)}
                  />
                  {one.name}
                </label>
              </li>
            ))}
        </ul>
      </Dropdown>
    ),
  };
}
