import { boolean, Field, oneOf, string, uuid } from '../../../kernel/validation';

/** The token of an invitation. */
export class InvitationAccept {
  @Field(string(), { description: 'The `token` of the link.', example: 'inv-…' })
  token!: string;
}

/** What was joined. */
export class InvitationAccepted {
  @Field(boolean(), { description: 'Always true.' })
  success!: boolean;

  @Field(uuid(), { description: 'The organization that was joined.' })
  org_id!: string;

  @Field(string(), { description: 'Its name.' })
  org_name!: string;

  @Field(oneOf(['member', 'admin', 'owner']), { description: 'What the caller is in it now.' })
  role!: 'member' | 'admin' | 'owner';
}
