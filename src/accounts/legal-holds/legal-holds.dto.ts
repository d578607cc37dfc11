import { dateTime, Field, list, model, string, uuid } from '../../kernel/validation';
import { OrgPath } from '../orgs';
import { MAX_HOLD_REASON } from './limits';

const ID = '5c1d9e77-0f3a-4f0e-9a1b-2d3c4e5f6a88';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';
const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const TIME = '2026-11-29T09:30:00.000Z';

/** Path of operations on one hold. */
export class LegalHoldPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the hold.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/legal-holds',
      list: 'items',
      value: 'id',
      none: 'The organization has no legal hold: make one with POST.',
    },
  })
  hold_id!: string;
}

/** Body of `POST …/legal-holds`: one of the two ids. */
export class LegalHoldCreate {
  @Field(uuid(), {
    optionalBeside: 'user_id',
    description: 'The conversation that is held.',
    example: CONVERSATION,
  })
  conversation_id?: string;

  @Field(uuid(), {
    optionalBeside: 'conversation_id',
    description: 'The person who is held: all that they have in the organization.',
    example: USER,
  })
  user_id?: string;

  @Field(string({ trim: true, minLength: 1, maxLength: MAX_HOLD_REASON }), {
    description: 'Why; such as the number of a case.',
    example: 'Case 2026-117',
  })
  reason!: string;
}

/** A legal hold. */
export class LegalHoldResponse {
  @Field(uuid(), { description: 'Id of the hold.', example: ID })
  id!: string;

  @Field(uuid(), {
    nullable: true,
    description: 'The conversation that is held; null for a hold on a person.',
    example: CONVERSATION,
  })
  conversation_id!: string | null;

  @Field(uuid(), {
    nullable: true,
    description: 'The person who is held; null for a hold on a conversation.',
    example: null,
  })
  user_id!: string | null;

  @Field(string(), { description: 'Why.', example: 'Case 2026-117' })
  reason!: string;

  @Field(uuid(), { description: 'Who made it.', example: USER })
  created_by_user_id!: string;

  @Field(dateTime(), { description: 'When it was made.', example: TIME })
  created_at!: string;

  @Field(dateTime(), {
    nullable: true,
    description: 'When it was lifted; null while it lasts.',
    example: null,
  })
  lifted_at!: string | null;

  @Field(uuid(), { nullable: true, description: 'Who lifted it; null while it lasts.', example: null })
  lifted_by_user_id!: string | null;
}

/** A page of legal holds. */
export class LegalHoldPage {
  @Field(list(model(() => LegalHoldResponse)), { description: 'The holds of the page.' })
  items!: LegalHoldResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
