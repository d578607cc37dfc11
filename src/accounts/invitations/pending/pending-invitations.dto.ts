import { OrgPath } from '../../orgs';
import { Field, integer, list, model, string } from '../../../kernel/validation';
import { InvitationResponse } from '../record/invite.dto';

/** One invitation of an organization. */
export class InvitationPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the invitation.',
    example: '17',
    exampleFrom: {
      get: '/api/organizations/{org_id}/members/invite',
      list: 'items',
      value: 'id',
      none: 'Nobody is invited: invite somebody with POST /api/organizations/{org_id}/members/invite.',
    },
  })
  invitation_id!: string;
}

/** Which page of the pending invitations. */
export class InvitationsQuery {
  @Field(string(), { nullable: true, description: '`next_page_id` of the page before.' })
  page_id: string | null = null;

  @Field(integer({ ge: 1 }), { description: 'Largest number of items; above 100 counts as 100.' })
  limit = 100;
}

/** Pending invitations, newest first. */
export class InvitationPage {
  @Field(list(model(() => InvitationResponse)), { description: 'The invitations of the page.' })
  items!: InvitationResponse[];

  @Field(string(), { nullable: true, description: '`page_id` of the next page; null on the last one.' })
  next_page_id!: string | null;
}
