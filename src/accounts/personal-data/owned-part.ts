import { type FindOptionsWhere, IsNull, type ObjectLiteral, type Repository } from 'typeorm';
import { fewLines } from './lines';
import type { Counts, ErasureRun, ExportedRecords, PersonalPart, PersonalScope } from './personal-data';

/** A row of a user, everywhere (`orgId` is null) or in one organization. */
interface OwnedRow extends ObjectLiteral {
  userId: string | null;
  orgId: string | null;
}

/** A row of an organization about an address. */
interface AddressedRow extends ObjectLiteral {
  email: string | null;
  orgId: string;
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

/** The part of a table with few rows of each person, which go at once. */
abstract class FewRows<Row extends ObjectLiteral> implements PersonalPart {
  /** @param shown what of a row its person gets: no secret */
  constructor(
    readonly name: string,
    private readonly rows: Repository<Row>,
    private readonly shown: (row: Row) => object,
  ) {}

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const where = this.where(scope);
    // Of no condition at all, the repository would find every row.
    if (where.length === 0) return [];
    return [{ name: this.name, lines: () => fewLines(() => this.rows.find({ where }), this.shown) }];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    const where = this.where(scope);
    return { [this.name]: where.length === 0 ? 0 : await this.rows.count({ where }) };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    for (const where of this.where(scope)) await this.rows.delete(where);
    await run.done(this.name);
  }

  /** Those that are meant, any of these; nothing where it has none of such a person. */
  protected abstract where(scope: PersonalScope): FindOptionsWhere<Row>[];
}

/** Rows that are a user's. */
export class OwnedPart<Row extends OwnedRow> extends FewRows<Row> {
  protected override where(scope: PersonalScope): FindOptionsWhere<Row>[] {
    return ownedWhere(scope) as FindOptionsWhere<Row>[];
  }
}

/** Rows of organizations that are about an address, whoever has it: of nobody who has none. */
export class AddressedPart<Row extends AddressedRow> extends FewRows<Row> {
  protected override where({ email, orgId }: PersonalScope): FindOptionsWhere<Row>[] {
    if (email === null) return [];
    return [{ email, ...(orgId !== null && { orgId }) } as FindOptionsWhere<Row>];
  }
}
