import type { Schemas } from '../api/client';
import { compact, day, money, number, shortDay, texts } from '../text';
import type { Point } from './charts';
import type { Column } from './table';

const words = texts.usage;

export type Usage = Schemas['ConversationUsage'];
export type UsageGroup = Schemas['OrgUsage']['group_by'];

/** What can be compared. */
export const MEASURES = ['cost', 'conversations', 'tokens'] as const;
export type Measure = (typeof MEASURES)[number];

/** What was used, and by what. */
export interface Row extends Usage {
  readonly name: string;
}

/** What was used on each day, by each user, with each model …, and, last, what was left out of that. */
export function rowsOf({ group_by, items, others }: Schemas['OrgUsage']): Row[] {
  const rows = items.map((item) => ({ ...item, name: nameOf(item, group_by) }));
  const isAll = others.conversations === 0 && others.total_tokens === 0 && others.accumulated_cost === 0;
  return isAll ? rows : [...rows, { ...others, name: words.others }];
}

function nameOf({ value, user_email }: Schemas['UsageItem'], group: UsageGroup): string {
  if (group === 'day') return day(value ?? '');
  return user_email ?? value ?? words.without[group];
}

/** One figure of what was used. */
export function figureOf({ accumulated_cost, conversations, total_tokens }: Usage, measure: Measure): number {
  return { cost: accumulated_cost, conversations, tokens: total_tokens }[measure];
}

/** How a figure is written, in few characters. */
export function shortly(measure: Measure): (value: number) => string {
  return measure === 'cost' ? money : compact;
}

/** As many are drawn; the table has all. */
const MOST_BARS = 10;

/** The points of a chart: every day, or those of anything else with the highest figures. */
export function pointsOf({ group_by, items }: Schemas['OrgUsage'], measure: Measure): Point[] {
  if (group_by === 'day')
    return items.map((item) => ({ name: shortDay(item.value ?? ''), value: figureOf(item, measure) }));
  return [...items]
    .sort((one, other) => figureOf(other, measure) - figureOf(one, measure))
    .slice(0, MOST_BARS)
    .map((item) => ({ name: nameOf(item, group_by), value: figureOf(item, measure) }));
}

/** Everything that was used, for a table. @param name of what it was used by @param isWhole whether with cached tokens */
export function usageColumns(name: string, isWhole = false): readonly Column<Row>[] {
  return [
    { key: 'name', name, isHeader: true, show: (row) => row.name },
    ...[...FIGURES, ...(isWhole ? CACHED : [])].map(({ key, title, show }) => ({
      key,
      name: title,
      isFigure: true,
      show,
    })),
  ];
}

interface Figure {
  readonly key: string;
  readonly title: string;
  readonly show: (row: Usage) => string;
}

const FIGURES: readonly Figure[] = [
  {
    key: 'conversations',
    title: words.measures.conversations,
    show: ({ conversations }) => number(conversations),
  },
  { key: 'cost', title: words.measures.cost, show: ({ accumulated_cost: cost }) => money(cost) },
  { key: 'tokens', title: words.measures.tokens, show: ({ total_tokens }) => number(total_tokens) },
  { key: 'prompt', title: words.promptTokens, show: ({ prompt_tokens }) => number(prompt_tokens) },
  { key: 'completion', title: words.completionTokens, show: ({ completion_tokens: of }) => number(of) },
];

const CACHED: readonly Figure[] = [
  { key: 'cache_read', title: words.cacheReadTokens, show: ({ cache_read_tokens: of }) => number(of) },
  { key: 'cache_write', title: words.cacheWriteTokens, show: ({ cache_write_tokens: of }) => number(of) },
];
