import type { Schemas } from '../../api/client';
import { compact, money, number, texts } from '../../text';
import type { Column } from '../../parts/table';
import type { Point } from './charts';
import type { Measure } from './period';

export type Usage = Schemas['ConversationUsage'];

/** What was used, and by what. */
export interface Row extends Usage {
  readonly name: string;
}

/** One figure of what was used. */
export function figureOf({ accumulated_cost, conversations, total_tokens }: Usage, measure: Measure): number {
  return { cost: accumulated_cost, conversations, tokens: total_tokens }[measure];
}

/** How a figure is written, in few characters. */
export function shortly(measure: Measure): (value: number) => string {
  return measure === 'cost' ? money : compact;
}

/** The figures for a chart. */
export function pointsOf(rows: readonly Row[], measure: Measure): Point[] {
  return rows.map((row) => ({ name: row.name, value: figureOf(row, measure) }));
}

/** Everything that was used, for a table. @param name of what it was used by */
export function usageColumns(name: string): readonly Column<Row>[] {
  return [
    { key: 'name', name, isHeader: true, show: (row) => row.name },
    ...figures.map(({ key, title, show }) => ({ key, name: title, isFigure: true, show })),
  ];
}

const figures: readonly {
  readonly key: string;
  readonly title: string;
  readonly show: (row: Usage) => string;
}[] = [
  {
    key: 'conversations',
    title: texts.overview.measures.conversations,
    show: ({ conversations }) => number(conversations),
  },
  { key: 'cost', title: texts.overview.measures.cost, show: ({ accumulated_cost: cost }) => money(cost) },
  { key: 'tokens', title: texts.overview.measures.tokens, show: ({ total_tokens }) => number(total_tokens) },
  { key: 'prompt', title: texts.overview.promptTokens, show: ({ prompt_tokens }) => number(prompt_tokens) },
  {
    key: 'completion',
    title: texts.overview.completionTokens,
    show: ({ completion_tokens }) => number(completion_tokens),
  },
];
