import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  nearestByName,
  newId,
  ownOwnersFor,
  type Person,
  SecretBox,
  storableText,
} from '../../kernel/common';
import { ownedBy, type SealedColumn } from '../../kernel/database';
import { DomainEvents } from '../../kernel/domain-events';
import { OwnedRecords } from '../owned-records';
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
export class UserSecretsRepository extends OwnedRecords<UserSecret> {
  constructor(
    @InjectRepository(UserSecret) stored: Repository<UserSecret>,
    events: DomainEvents,
    private readonly box: SecretBox,
  ) {
    super(stored, events, 'secrets');
  }

  /**
   * The secrets that apply to a user in an organization, ordered by name; the organization's own hide those of all
   * organizations.
   */
  async ofPerson(person: Person, rows = this.stored): Promise<SecretWithoutValue[]> {
    const found = await rows.find({
      select: { id: true, userId: true, orgId: true, name: true, description: true },
      where: ownOwnersFor(person).map(ownedBy),
    });
    return nearestByName(found);
  }

  /** The same with their values. */
  async opened(person: Person): Promise<Readonly<Record<string, string>>> {
    const found = await this.stored.findBy(ownOwnersFor(person).map(ownedBy));
    return Object.fromEntries(nearestByName(found).map((secret) => [secret.name, this.valueIn(secret)]));
  }

  /** The value of one secret. @returns null if there is none of this name */
  async value(person: Person, name: string): Promise<string | null> {
    const wanted = { name: storableText(name) };
    const [secret] = nearestByName(
      await this.stored.findBy(ownOwnersFor(person).map((owner) => ({ ...ownedBy(owner), ...wanted }))),
    );
    return secret === undefined ? null : this.valueIn(secret);
  }

  async insert(
    rows: Repository<UserSecret>,
    { value, ...secret }: Omit<SecretWithoutValue, 'id'> & { readonly value: string },
  ): Promise<void> {
    const id = newId();
    await rows.insert({ ...secret, id, sealedValue: this.seal(id, value) });
  }

  /** @param change leaves the value as it is if it has none */
  async update(
    rows: Repository<UserSecret>,
    id: string,
    { value, ...change }: Pick<SecretWithoutValue, 'name' | 'description'> & { readonly value?: string },
  ): Promise<void> {
    const sealed = value === undefined ? {} : { sealedValue: this.seal(id, value) };
    await rows.update({ id }, { ...change, ...sealed });
  }

  private seal(id: string, value: string): string {
    return this.box.seal(value, SEALED_USER_SECRETS.contextOf(id));
  }

  private valueIn({ id, sealedValue }: UserSecret): string {
    return this.box.open(sealedValue, SEALED_USER_SECRETS.contextOf(id));
  }
}
