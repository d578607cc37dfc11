import { boolean, Field, oneOf, string } from '../../../kernel/validation';
import {
  refProblem,
  registrationNameProblem,
  registrationSourceProblem,
  repoPathProblem,
} from './registration-rules';

/** Where a registration comes from (docs/contract.md#marketplace-registrations). */
export const REGISTRATION_SCOPES = ['instance', 'org', 'personal'] as const;
export type RegistrationScope = (typeof REGISTRATION_SCOPES)[number];

/** A registration of a plugin marketplace (docs/contract.md#marketplace-registrations). */
export class MarketplaceRegistration {
  @Field(string({ trim: true, rule: registrationNameProblem }), {
    description: 'Identifier of the registration: a letter, then letters, digits, hyphens and underscores.',
    example: 'team',
  })
  name!: string;

  @Field(string({ trim: true, rule: registrationSourceProblem }), {
    description: '`host:owner/repo`, a git URL without a password, or a relative local path.',
    example: 'github:acme/marketplace',
  })
  source!: string;

  @Field(string({ rule: refProblem }), {
    nullable: true,
    description: 'Branch, tag or commit; only for git sources.',
    example: 'main',
  })
  ref: string | null = null;

  @Field(string({ rule: repoPathProblem }), {
    nullable: true,
    description: 'Directory of the repository that holds the marketplace; only for git sources.',
    example: 'marketplaces/internal',
  })
  repo_path: string | null = null;

  @Field(boolean(), {
    description: 'True loads all its plugins at the start of a conversation; false only makes them known.',
    example: false,
  })
  auto_load = false;

  @Field(oneOf(REGISTRATION_SCOPES), {
    nullable: true,
    description: 'Set by the service in answers; accepted and ignored in requests.',
  })
  scope: RegistrationScope | null = null;
}
