import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { nearestFirst, newId, ownOwnersFor, type Person, SecretBox, storableText } from '../../kernel/common';
import { lockForTransaction, ownedBy, type SealedColumn } from '../../kernel/database';
import { UserSecret } from './user-secret.entity';

/** The column that stores the values. */
export const SEALED_USER_SECRETS: SealedColumn = {
  table: 'user_secrets',
  column: 'sealed_value',
  contextOf: (id) => `user-secret:${id}`,
};

/** A secret without its value. */
export type SecretWithoutValue = Pick<UserSecret, 'id' | 'userId' | 'orgId' | 'name' | 'description'>;

/** Users' secrets, with encrypted values. */
@Injectable()
export class UserSecretsRepository {
  constructor(
    @InjectRepository(UserSecret) private readonly secrets: Repository<UserSecret>,
    private readonly box: SecretBox,
  ) {}

  /** Serializes changes to a user's secrets. */
  async lock(transaction: EntityManager, userId: string): Promise<void> {
    await lockForTransaction(transaction, `user-secrets:${userId}`);
  }

  /**
   * The secrets that apply to a user in an organization, ordered by name; the organization's own hide those of all
   * organizations.
   */
  async ofPerson(person: Person, transaction?: EntityManager): Promise<SecretWithoutValue[]> {
    const rows = await this.rows(transaction).find({
      select: { id: true, userId: true, orgId: true, name: true, description: true },
      where: ownersOf(person),
    });
    return nearest(rows);
  }

  /** The same with their values. */
  async opened(person: Person): Promise<Readonly<Record<string, string>>> {
    const rows = await this.secrets.findBy(ownersOf(person));
    return Object.fromEntries(nearest(rows).map((secret) => [secret.name, this.valueOf(secret)]));
  }

  /** The value of one secret. @returns null if there is none of this name */
  async value(person: Person, name: string): Promise<string | null> {
    const wanted = { name: storableText(name) };
    const rows = await this.secrets.findBy(ownersOf(person).map((owner) => ({ ...owner, ...wanted })));
    const [secret] = nearest(rows);
    return secret === undefined ? null : this.valueOf(secret);
  }

  count(transaction: EntityManager, owner: Pick<UserSecret, 'userId' | 'orgId'>): Promise<number> {
    return this.rows(transaction).countBy(ownedBy(owner));
  }

  isThere(
    transaction: EntityManager,
    { userId, orgId, name }: Pick<UserSecret, 'userId' | 'orgId' | 'name'>,
  ): Promise<boolean> {
    return this.rows(transaction).existsBy({ ...ownedBy({ userId, orgId }), name });
  }

  async insert(
    transaction: EntityManager,
    { value, ...secret }: Omit<SecretWithoutValue, 'id'> & { readonly value: string },
  ): Promise<void> {
    const id = newId();
    await this.rows(transaction).insert({ ...secret, id, sealedValue: this.seal(id, value) });
  }

  /** @param change leaves the value as it is if it has none */
  async update(
    transaction: EntityManager,
    id: string,
    { value, ...change }: Pick<SecretWithoutValue, 'name' | 'description'> & { readonly value?: string },
  ): Promise<void> {
    await this.rows(transaction).update(
      { id },
      { ...change, ...(value !== undefined && { sealedValue: this.seal(id, value) }) },
    );
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await this.rows(transaction).delete({ id });
  }

  private rows(transaction: EntityManager | undefined): Repository<UserSecret> {
    return transaction?.withRepository(this.secrets) ?? this.secrets;
  }

  private seal(id: string, value: string): string {
    return this.box.seal(value, SEALED_USER_SECRETS.contextOf(id));
  }

  private valueOf({ id, sealedValue }: UserSecret): string {
    return this.box.open(sealedValue, SEALED_USER_SECRETS.contextOf(id));
  }
}

function ownersOf(person: Person): ReturnType<typeof ownedBy>[] {
  return ownOwnersFor(person).map(ownedBy);
}

function nearest<Secret extends Pick<UserSecret, 'userId' | 'orgId' | 'name'>>(
  secrets: readonly Secret[],
): Secret[] {
  const byName = new Map<string, Secret>();
  for (const secret of [...secrets].sort(nearestFirst))
    if (!byName.has(secret.name)) byName.set(secret.name, secret);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
