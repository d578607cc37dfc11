import { boolean, Field, oneOf, string, uuid } from '../../validation';

/** The token of an invitation. */
export class InvitationAccept {
  @Field(string(), { description: 'The `token` of the link.', example: 'inv-…' })
  token!: string;
}

/** What was joined. */
export class InvitationAccepted {
  @Field(boolean())
  success!: boolean;

  @Field(uuid())
  org_id!: string;

  @Field(string())
  org_name!: string;

  @Field(oneOf(['member', 'admin', 'owner']))
  role!: 'member' | 'admin' | 'owner';
}
