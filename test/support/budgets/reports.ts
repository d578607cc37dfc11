import type { DataSource } from 'typeorm';

/** What is spent. */
export interface Amounts {
  readonly usd: number;
  readonly tokens: number;
}

/**
 * Has an agent server report so much more than the record has.
 * @param ahead by how much each conversation had reported more when it last did so while it was metered
 * @returns by how much the record is to grow
 */
export async function reportMore(
  db: DataSource,
  id: string,
  { usd, tokens }: Amounts,
  isGatewayOn: boolean,
  ahead: Map<string, Amounts>,
): Promise<Amounts> {
  const [before] = await db.query<[{ metered: boolean; has_spent: boolean }]>(
    `SELECT metered, accumulated_cost > 0 OR prompt_tokens > 0 AS has_spent FROM conversations WHERE id = $1`,
    [id],
  );
  await db.query(
    `SELECT apply_report($1, NULL, NULL, NULL, NULL, accumulated_cost + $2, prompt_tokens + $3, 0, 0, 0, 0, 0, 0, true, $4)
       FROM conversations WHERE id = $1`,
    [id, usd, tokens, isGatewayOn],
  );
  if (before.metered && isGatewayOn) {
    if (before.has_spent || usd > 0 || tokens > 0) ahead.set(id, { usd, tokens });
    return { usd: 0, tokens: 0 };
  }
  const known = ahead.get(id) ?? { usd: 0, tokens: 0 };
  return { usd: Math.max(usd - known.usd, 0), tokens: Math.max(tokens - known.tokens, 0) };
}
