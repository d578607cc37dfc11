import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isDeepStrictEqual } from 'node:util';
import { Repository } from 'typeorm';
import { ROLES } from '../../../kernel/auth';
import { lockForTransaction } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import type { ModelPolicyResponse, ModelPolicyUpdate, ModelsOfRoles } from './model-policy.dto';
import { ModelPolicies } from './model-policies';
import { ModelPolicy, type ModelsByRole } from './model-policy.entity';

const FIELDS = ['allowedModels', 'allowedByRole', 'maxOutputTokens'] as const;
const NAMES = {
  allowedModels: 'model_policy.allowed_models',
  allowedByRole: 'model_policy.allowed_by_role',
  maxOutputTokens: 'model_policy.max_output_tokens',
};

type Decided = Pick<ModelPolicy, (typeof FIELDS)[number]>;

/** Reads and sets which models an organization may use. */
@Injectable()
export class ModelPoliciesService {
  constructor(
    @InjectRepository(ModelPolicy) private readonly stored: Repository<ModelPolicy>,
    private readonly policies: ModelPolicies,
    private readonly events: DomainEvents,
  ) {}

  async get(orgId: string): Promise<ModelPolicyResponse> {
    return this.response(await this.stored.findOneBy({ orgId }));
  }

  /** Replaces the policy of an organization. */
  async set(orgId: string, wanted: ModelPolicyUpdate): Promise<ModelPolicyResponse> {
    await this.stored.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, `model-policy:${orgId}`);
      const rows = transaction.withRepository(this.stored);
      const before = decided(await rows.findOneBy({ orgId }));
      const after = decidedBy(wanted);
      const changed = FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field]));
      if (changed.length === 0) return;
      await rows.upsert({ orgId, ...after, updatedAt: () => 'now()' }, ['orgId']);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: orgId,
        user_id: null,
        fields: changed.map((field) => NAMES[field]),
      });
    });
    this.policies.forget(orgId);
    return this.get(orgId);
  }

  private response(row: ModelPolicy | null): ModelPolicyResponse {
    const { allowedModels, allowedByRole, maxOutputTokens } = decided(row);
    const { ofInstallation } = this.policies;
    return {
      allowed_models: copied(allowedModels),
      allowed_by_role: rolesOf(allowedByRole),
      max_output_tokens: maxOutputTokens,
      installation: { allowed_models: copied(ofInstallation) },
      updated_at: row?.updatedAt.toISOString() ?? null,
    };
  }
}

function decided(row: ModelPolicy | null): Decided {
  return {
    allowedModels: row?.allowedModels ?? null,
    allowedByRole: row?.allowedByRole ?? {},
    maxOutputTokens: row?.maxOutputTokens ?? null,
  };
}

function decidedBy(wanted: ModelPolicyUpdate): Decided {
  const lists = ROLES.flatMap((role) => {
    const patterns = wanted.allowed_by_role[role];
    return patterns === null ? [] : [[role, distinct(patterns)] as const];
  });
  return {
    allowedModels: wanted.allowed_models === null ? null : distinct(wanted.allowed_models),
    allowedByRole: Object.fromEntries(lists),
    maxOutputTokens: wanted.max_output_tokens,
  };
}

function rolesOf({ member, admin, owner }: ModelsByRole): ModelsOfRoles {
  return { member: copied(member), admin: copied(admin), owner: copied(owner) };
}

function copied(patterns: readonly string[] | null | undefined): string[] | null {
  return patterns === null || patterns === undefined ? null : [...patterns];
}

function distinct(patterns: readonly string[]): string[] {
  return [...new Set(patterns)];
}
