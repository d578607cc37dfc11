import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { MembershipService } from '../../../accounts/orgs';
import type { Role } from '../../../kernel/auth';
import { Clock, type Person, TtlCache } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { matchesModel } from '../patterns/model-pattern';
import { type RefusalCode, ModelRefusals } from '../refusals/model-refusals';
import { ModelPolicy, type ModelsByRole } from './model-policy.entity';
import { ModelNotAllowedError } from './model-policy.errors';

/** How long a replica goes by what it has read of an organization. */
const KEPT_MS = 2_000;
const MOST_KEPT = 10_000;

/** What applies to a model that is allowed. */
export interface ModelLimits {
  /** The most tokens of one answer; null for as many as the model has. */
  readonly maxOutputTokens: number | null;
}

/** What applies in an organization. */
interface AppliedPolicy extends ModelLimits {
  /** Null allows every model. */
  readonly allowedModels: readonly string[] | null;
  readonly allowedByRole: ModelsByRole;
}

/** Which models may be used (docs/model-policy.md). */
@Injectable()
export class ModelPolicies {
  private readonly applied: TtlCache<AppliedPolicy>;

  constructor(
    @InjectRepository(ModelPolicy) private readonly policies: Repository<ModelPolicy>,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly memberships: MembershipService,
    private readonly refusals: ModelRefusals,
    clock: Clock,
  ) {
    this.applied = new TtlCache(clock, KEPT_MS, MOST_KEPT);
  }

  /** What the installation allows organizations that do not decide themselves; null for every model. */
  get ofInstallation(): readonly string[] | null {
    const { LLM_ALLOWED_MODELS: patterns } = this.settings;
    return patterns.length === 0 ? null : patterns;
  }

  /**
   * What applies to a model where it is used.
   * @param model its name, with its provider or without
   * @throws ModelNotAllowedError
   */
  async check(orgId: string, role: Role, model: string): Promise<ModelLimits> {
    const policy = await this.appliedIn(orgId);
    const why = whyNotAllowed(policy, role, model);
    if (why !== null) throw new ModelNotAllowedError(model, why);
    return { maxOutputTokens: policy.maxOutputTokens };
  }

  /**
   * As {@link check}, for a person whose role is looked up. The refusal is counted.
   * @throws ModelNotAllowedError also where they are no member
   */
  async checkFor({ userId, orgId }: Pick<Person, 'userId' | 'orgId'>, model: string): Promise<ModelLimits> {
    try {
      const standing = await this.memberships.standingOf(userId, orgId);
      if (standing === null)
        throw new ModelNotAllowedError(model, 'the person is no member of the organization.');
      return await this.check(orgId, standing.role, model);
    } catch (error) {
      if (error instanceof ModelNotAllowedError) this.refused(orgId, model, 'model_not_allowed');
      throw error;
    }
  }

  /** Those of some models that a role may use. */
  async allowedAmong(orgId: string, role: Role, models: readonly string[]): Promise<string[]> {
    const policy = await this.appliedIn(orgId);
    return models.filter((model) => whyNotAllowed(policy, role, model) === null);
  }

  /** Counts a call or a start that was refused, for `GET …/model-refusals`. It returns at once. */
  refused(orgId: string, model: string, code: RefusalCode): void {
    this.refusals.add(orgId, model, code);
  }

  /** Has this replica read anew what an organization decided. */
  forget(orgId: string): void {
    this.applied.delete(orgId);
  }

  private appliedIn(orgId: string): Promise<AppliedPolicy> {
    return this.applied.get(orgId, async () => {
      const own = await this.policies.findOneBy({ orgId });
      return {
        allowedModels: own?.allowedModels ?? this.ofInstallation,
        allowedByRole: own?.allowedByRole ?? {},
        maxOutputTokens: own?.maxOutputTokens ?? null,
      };
    });
  }
}

/** @returns a sentence; null for a model that is allowed */
function whyNotAllowed(
  { allowedModels, allowedByRole }: AppliedPolicy,
  role: Role,
  model: string,
): string | null {
  if (allowedModels !== null && !stands(allowedModels, model))
    return allowedModels.length === 0
      ? 'the organization allows no model at all.'
      : 'the organization allows others only.';
  const ofRole = allowedByRole[role];
  if (ofRole === undefined || stands(ofRole, model)) return null;
  return ofRole.length === 0
    ? `the organization allows no model at all to the role ${role}.`
    : `the organization allows others only to the role ${role}.`;
}

function stands(patterns: readonly string[], model: string): boolean {
  return patterns.some((pattern) => matchesModel(pattern, model));
}
