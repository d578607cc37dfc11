import { MAX_MODEL_PATTERN } from '../../../kernel/config';
import { dateTime, Field, ForbidExtraKeys, integer, list, model, string } from '../../../kernel/validation';

/** Patterns of one list. */
const MAX_PATTERNS = 200;
const MAX_OUTPUT_TOKENS = 10_000_000;
const PRINTABLE = /^[\x21-\x7e]+$/;

const pattern = () =>
  string({
    trim: true,
    minLength: 1,
    maxLength: MAX_MODEL_PATTERN,
    rule: (text) => (PRINTABLE.test(text) ? null : 'a pattern has printable ASCII characters only'),
  });
const patterns = () => list(pattern(), { max: MAX_PATTERNS });

const OF_ROLE = (role: string) =>
  Field(list(string()), {
    nullable: true,
    description: `Of these, what the role ${role} may use; none is nothing, null is all of them.`,
    example: null,
  });
const FOR_ROLE = (role: string) =>
  Field(patterns(), {
    nullable: true,
    description: `Of these, what the role ${role} may use; none is nothing, null is all of them.`,
    example: null,
  });

/** What each role is to be able to use of what the organization may. */
@ForbidExtraKeys()
export class ModelsOfRolesUpdate {
  @FOR_ROLE('member')
  member: string[] | null = null;

  @FOR_ROLE('admin')
  admin: string[] | null = null;

  @FOR_ROLE('owner')
  owner: string[] | null = null;
}

/** What each role may use of what the organization may. */
export class ModelsOfRoles {
  @OF_ROLE('member')
  member!: string[] | null;

  @OF_ROLE('admin')
  admin!: string[] | null;

  @OF_ROLE('owner')
  owner!: string[] | null;
}

const ALLOWED = {
  nullable: true,
  description:
    'Patterns of the models that may be used, `*` for any characters: `openai/gpt-5*`. None allows nothing; null allows what the installation does.',
  example: ['openai/gpt-5*', 'anthropic/*'],
} as const;

/** Body of `PUT /api/organizations/{org_id}/model-policy`: what is left out is as with null. */
@ForbidExtraKeys()
export class ModelPolicyUpdate {
  @Field(patterns(), ALLOWED)
  allowed_models: string[] | null = null;

  @Field(model(() => ModelsOfRolesUpdate), {
    description: 'What each role may use of these.',
    example: { member: ['openai/gpt-5-mini'], admin: null, owner: null },
  })
  allowed_by_role: ModelsOfRolesUpdate = new ModelsOfRolesUpdate();

  @Field(integer({ ge: 1, le: MAX_OUTPUT_TOKENS }), {
    nullable: true,
    description:
      'The most tokens of one answer, where agents reach models through the gateway; null for as many as the model has.',
    example: 16_000,
  })
  max_output_tokens: number | null = null;
}

/** What the installation allows organizations that do not decide themselves. */
export class InstallationModels {
  @Field(list(string()), {
    nullable: true,
    description: 'Patterns of the models that may be used; null for every model.',
    example: null,
  })
  allowed_models!: string[] | null;
}

/** Which models an organization may use. */
export class ModelPolicyResponse {
  @Field(list(string()), ALLOWED)
  allowed_models!: string[] | null;

  @Field(model(() => ModelsOfRoles), {
    description: 'What each role may use of these.',
    example: { member: ['openai/gpt-5-mini'], admin: null, owner: null },
  })
  allowed_by_role!: ModelsOfRoles;

  @Field(integer(), {
    nullable: true,
    description:
      'The most tokens of one answer, where agents reach models through the gateway; null for as many as the model has.',
    example: 16_000,
  })
  max_output_tokens!: number | null;

  @Field(model(() => InstallationModels), { description: 'What the installation has.' })
  installation!: InstallationModels;

  @Field(dateTime(), {
    nullable: true,
    description: 'When this was set; null where the organization has set nothing.',
    example: '2026-11-29T09:30:00.000Z',
  })
  updated_at!: string | null;
}
