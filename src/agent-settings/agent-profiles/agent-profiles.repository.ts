import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { type Owner, storableText } from '../../common';
import { lockForTransaction, ownedBy } from '../../database';
import { AgentProfileRow } from './agent-profile.entity';

/** Agent profiles of users. */
@Injectable()
export class AgentProfilesRepository {
  constructor(@InjectRepository(AgentProfileRow) private readonly profiles: Repository<AgentProfileRow>) {}

  /** Has changes of an owner's profiles follow one another. */
  async lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void> {
    await lockForTransaction(transaction, `agent-profiles:${userId ?? ''}:${orgId ?? ''}`);
  }

  /** @param where by name or id, or only the active ones */
  of(
    owners: readonly Owner[],
    { name, ...others }: { readonly name?: string; readonly id?: string; readonly isActive?: true } = {},
    transaction?: EntityManager,
  ): Promise<AgentProfileRow[]> {
    const where = { ...others, ...(name !== undefined && { name: storableText(name) }) };
    return this.rows(transaction).findBy(owners.map((owner) => ({ ...ownedBy(owner), ...where })));
  }

  count(transaction: EntityManager, owner: Owner): Promise<number> {
    return this.rows(transaction).countBy(ownedBy(owner));
  }

  async save(transaction: EntityManager, profile: AgentProfileRow): Promise<void> {
    await this.rows(transaction).save(profile);
  }

  /** Makes a profile the active one of its owner. */
  async activate(transaction: EntityManager, owner: Owner, id: string): Promise<void> {
    const rows = this.rows(transaction);
    await rows.update({ ...ownedBy(owner), isActive: true }, { isActive: false });
    await rows.update({ id }, { isActive: true });
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await this.rows(transaction).delete({ id });
  }

  private rows(transaction: EntityManager | undefined): Repository<AgentProfileRow> {
    return transaction?.withRepository(this.profiles) ?? this.profiles;
  }
}
