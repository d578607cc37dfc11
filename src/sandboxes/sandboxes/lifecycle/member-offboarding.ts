import { Injectable } from '@nestjs/common';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { SandboxStore } from '../record/sandbox-store';
import { pause } from './desired-state/transitions';
import { FormerMembers } from './former-members.read-model';

/**
 * Pauses the sandboxes of a member who was removed (docs/contract.md#member-rules). Skipped when
 * the user has rejoined.
 */
@Injectable()
export class MemberOffboarding {
  constructor(
    private readonly formerMembers: FormerMembers,
    private readonly store: SandboxStore,
  ) {}

  @OnDomainEvent('member.removed', { after: 'commit', name: 'member-removed' })
  async pauseAll({ org_id, user_id }: DomainEventOf<'member.removed'>): Promise<void> {
    for (const { id } of await this.formerMembers.activeSandboxes(org_id, user_id))
      await this.store.change(id, pause);
  }
}
