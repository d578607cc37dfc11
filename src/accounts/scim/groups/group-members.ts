import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ScimError } from '../record/scim.errors';
import { type MemberChange, sortedIds } from './group-changes';
import { addMembers, memberIds, removeMembers, unknownPeople } from './scim-groups.query';

interface GroupOf {
  readonly orgId: string;
  readonly groupId: string;
}

/** Who is in the groups of directories. */
@Injectable()
export class GroupMembers {
  /**
   * Makes changes one after the other.
   * @returns the ids of those who came or went
   * @throws ScimError where somebody is to come whom the directory has not told of
   */
  async change(
    transaction: EntityManager,
    group: GroupOf,
    changes: readonly MemberChange[],
  ): Promise<ReadonlySet<string>> {
    const changed = new Set<string>();
    for (const { op, ids } of changes) {
      const { known, malformed } = sortedIds(ids);
      if (op === 'remove') collect(changed, await removeMembers(transaction, group, known));
      else {
        await this.assertKnown(transaction, group.orgId, known, malformed);
        if (op === 'replace') collect(changed, await this.removeOthers(transaction, group, known));
        collect(changed, await addMembers(transaction, group, known));
      }
    }
    return changed;
  }

  /** The ids of all who are in a group. */
  async all(transaction: EntityManager, group: GroupOf): Promise<readonly string[]> {
    return memberIds(transaction, group);
  }

  private async removeOthers(
    transaction: EntityManager,
    group: GroupOf,
    kept: readonly string[],
  ): Promise<string[]> {
    const stay = new Set(kept);
    const others = (await memberIds(transaction, group)).filter((id) => !stay.has(id));
    return removeMembers(transaction, group, others);
  }

  private async assertKnown(
    transaction: EntityManager,
    orgId: string,
    ids: readonly string[],
    malformed: readonly string[],
  ): Promise<void> {
    const unknown = [...malformed, ...(await unknownPeople(transaction, orgId, ids))];
    const [first] = unknown;
    if (first !== undefined)
      throw new ScimError(
        400,
        'invalidValue',
        `There is no person ${first.slice(0, 100)} to be in the group.`,
      );
  }
}

function collect(into: Set<string>, ids: readonly string[]): void {
  for (const id of ids) into.add(id);
}
