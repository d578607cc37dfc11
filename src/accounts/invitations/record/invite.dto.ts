import {
  boolean,
  dateTime,
  email,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
} from '../../../kernel/validation';

/** Whom to invite (docs/contract.md#invite). */
export class InvitationCreate {
  @Field(list(email(), { min: 1, max: 100 }), {
    description: 'The addresses to invite.',
    example: ['a@example.com', 'b@example.com'],
  })
  emails!: string[];

  @Field(string(), { description: 'Role of the invited: member, admin or owner.', example: 'member' })
  role = 'member';
}

/** An invitation as those see it who may invite (docs/contract.md#invite). */
export class InvitationResponse {
  @Field(integer(), { description: 'Id of the invitation.', example: 17 })
  id!: number;

  @Field(string(), { description: 'The address it is for, in lower case.', example: 'a@example.com' })
  email!: string;

  @Field(oneOf(['member', 'admin', 'owner']), { description: 'What the invited become in the organization.' })
  role!: 'member' | 'admin' | 'owner';

  @Field(oneOf(['pending', 'accepted', 'revoked', 'expired']), { description: 'What became of it.' })
  status!: 'pending' | 'accepted' | 'revoked' | 'expired';

  @Field(dateTime(), { description: 'When it was made.' })
  created_at!: string;

  @Field(dateTime(), { description: 'Seven days after it was made or renewed.' })
  expires_at!: string;

  @Field(string(), { description: 'E-mail address of who invites.', example: 'owner@example.com' })
  inviter_email!: string;

  @Field(string(), {
    nullable: true,
    description: 'The link to accept with; null for callers who may not invite with this role.',
  })
  invite_url!: string | null;

  @Field(oneOf(['none', 'queued', 'sent', 'failed']), {
    description: 'What became of its mail; `none` where no mail is configured.',
  })
  mail_status!: 'none' | 'queued' | 'sent' | 'failed';

  @Field(string(), { nullable: true, description: 'Why the mail is late or did not go out.' })
  mail_detail!: string | null;
}

/** An address that was not invited. */
export class InvitationFailure {
  @Field(string(), { description: 'As the request spelled it.' })
  email!: string;

  @Field(string(), { description: 'One sentence for people.' })
  error!: string;

  @Field(oneOf(['already_member', 'deprovisioned', 'duplicate_in_batch']), {
    description: 'A name for programs.',
  })
  code!: 'already_member' | 'deprovisioned' | 'duplicate_in_batch';
}

/** The outcome for each address (docs/contract.md#invite). */
export class BatchInvitationResponse {
  @Field(list(model(() => InvitationResponse)), { description: 'The invitations that were made or renewed.' })
  successful!: InvitationResponse[];

  @Field(list(model(() => InvitationFailure)), { description: 'The addresses that were not invited.' })
  failed!: InvitationFailure[];

  @Field(boolean(), { description: 'False where no mail is configured: hand the links over yourself.' })
  email_delivery_configured!: boolean;
}
