import { OrgPath } from '../../orgs';
import { dateTime, Field, list, model, oneOf, string } from '../../../kernel/validation';
import { MAX_DOMAIN } from '../record/limits';
import { VERIFIED_BY } from '../record/identity-domain.enums';
import { domainProblem } from '../people/domain-rules';

const TIME = '2026-11-21T09:30:00.000Z';

/** Path of operations on one domain. */
export class DomainPath extends OrgPath {
  @Field(string(), {
    description: 'The domain.',
    example: 'example.com',
    exampleFrom: {
      get: '/api/organizations/{org_id}/domains',
      list: 'items',
      value: 'domain',
      none: 'The organization has no domain: name one with POST.',
    },
  })
  domain!: string;
}

/** Body of `POST …/domains`. */
export class DomainCreate {
  @Field(string({ trim: true, maxLength: MAX_DOMAIN, rule: domainProblem }), {
    description: 'A domain of mail addresses: what stands behind the `@`. Those below it are others.',
    example: 'example.com',
  })
  domain!: string;
}

/** A domain of an organization. */
export class DomainResponse {
  @Field(string(), { description: 'The domain, as DNS has it.', example: 'example.com' })
  domain!: string;

  @Field(string(), {
    description: 'Where DNS has to have a TXT record.',
    example: '_org-conversation-service.example.com',
  })
  record_name!: string;

  @Field(string(), {
    description: 'What the record has to say.',
    example: 'q3u8Vw2cTn0hX1aBzYp5kR7eLsMdJf4G',
  })
  record_value!: string;

  @Field(dateTime(), {
    nullable: true,
    description: 'When it was found to be so; null before.',
    example: TIME,
  })
  verified_at!: string | null;

  @Field(oneOf(VERIFIED_BY), { nullable: true, description: 'By DNS, or by the operator.', example: 'dns' })
  verified_by!: (typeof VERIFIED_BY)[number] | null;

  @Field(dateTime(), { description: 'When it was named.', example: TIME })
  created_at!: string;
}

/** Response of `GET …/domains`. */
export class DomainList {
  @Field(list(model(() => DomainResponse)), { description: 'The domains, by name.' })
  items!: DomainResponse[];
}
