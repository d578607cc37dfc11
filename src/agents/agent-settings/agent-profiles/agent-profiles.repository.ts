import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { type Owner, storableText } from '../../../kernel/common';
import { lockForTransaction, ownedBy } from '../../../kernel/database';
import type { ProfileFilter, ProfileStore } from '../record/profiles.service';
import { AgentProfileRow } from './agent-profile.entity';

/** Agent profiles of users and organizations. */
@Injectable()
export class AgentProfilesRepository implements ProfileStore<AgentProfileRow> {
  constructor(@InjectRepository(AgentProfileRow) private readonly profiles: Repository<AgentProfileRow>) {}

  async lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void> {
    await lockForTransaction(transaction, `agent-profiles:${userId ?? ''}:${orgId ?? ''}`);
  }

  of(
    owners: readonly Owner[],
    { name, ...others }: ProfileFilter = {},
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
