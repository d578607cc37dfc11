import { type FindOptionsWhere, IsNull, type ObjectLiteral, type Repository } from 'typeorm';
import { fewLines } from './lines';
import type { Counts, ErasureRun, ExportedRecords, PersonalPart, PersonalScope } from './personal-data';

/** A row of a user, everywhere (`orgId` is null) or in one organization. */
interface OwnedRow extends ObjectLiteral {
  userId: string | null;
  orgId: string | null;
}

/** Which rows are meant. */
export function ownedWhere({
  userId,
  orgId,
  ofAccount,
}: PersonalScope): { userId: string; orgId?: string | ReturnType<typeof IsNull> }[] {
  if (orgId === null) return [{ userId }];
  return [{ userId, orgId }, ...(ofAccount ? [{ userId, orgId: IsNull() }] : [])];
}

/** The part of a table with few rows of each user, which go at once. */
export class OwnedPart<Row extends OwnedRow> implements PersonalPart {
  /** @param shown what of a row its person gets: no secret */
  constructor(
    readonly name: string,
    private readonly rows: Repository<Row>,
    private readonly shown: (row: Row) => object,
  ) {}

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const where = this.where(scope);
    return [{ name: this.name, lines: () => fewLines(() => this.rows.find({ where }), this.shown) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    return { [this.name]: await this.rows.count({ where: this.where(scope) }) };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    for (const where of this.where(scope)) await this.rows.delete(where);
    await run.done(this.name);
  }

  private where(scope: PersonalScope): FindOptionsWhere<Row>[] {
    return ownedWhere(scope) as FindOptionsWhere<Row>[];
  }
}
