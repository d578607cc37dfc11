import { Field, integer, literal, string } from '../../../kernel/validation';

/** The only grant there is (RFC 8628, section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Body of `POST /oauth/device/authorize`. */
export class DeviceAuthorizationRequest {
  @Field(string(), {
    nullable: true,
    description: 'What the program calls itself, which its person is shown: at most 100 characters.',
    example: 'Acme command line',
  })
  client_id: string | null = null;

  @Field(string(), {
    nullable: true,
    description:
      'What the key is to be able to do: names of permissions, separated by spaces. Without any, all that its person may.',
    example: 'use_conversations',
  })
  scope: string | null = null;
}

/** A login that begins. */
export class DeviceAuthorization {
  @Field(string(), {
    description: 'With which the program asks for its key. Shown to nobody.',
    example: 'q3VgU1o0cJ8mTtB2yXkPzR7nWfLdHsEaQiK5vCx9GbY',
  })
  device_code!: string;

  @Field(string(), { description: 'To be shown to a person.', example: 'WDJB-MJHT' })
  user_code!: string;

  @Field(string(), {
    description: 'The page on which the person enters it.',
    example: 'https://agents.example.com/oauth/device/verify',
  })
  verification_uri!: string;

  @Field(string(), {
    description: 'The same page with the code filled in.',
    example: 'https://agents.example.com/oauth/device/verify?user_code=WDJB-MJHT',
  })
  verification_uri_complete!: string;

  @Field(integer(), { description: 'For how many seconds the codes work.', example: 600 })
  expires_in!: number;

  @Field(integer(), { description: 'The seconds between two questions for the key.', example: 5 })
  interval!: number;
}

/** Body of `POST /oauth/device/token`. */
export class DeviceTokenRequest {
  @Field(string(), {
    nullable: true,
    description: 'The only one there is; clients that send none mean it.',
    example: DEVICE_GRANT,
  })
  grant_type: string | null = null;

  @Field(string(), {
    nullable: true,
    description: 'As the login was answered.',
    example: 'q3VgU1o0cJ8mTtB2yXkPzR7nWfLdHsEaQiK5vCx9GbY',
  })
  device_code: string | null = null;

  @Field(string(), {
    nullable: true,
    description: 'Where it is sent, the same as the login began with.',
    example: 'Acme command line',
  })
  client_id: string | null = null;
}

/** The key of a device. */
export class DeviceToken {
  @Field(string(), {
    description: 'The key. Shown this once: only its digest is kept.',
    example: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx',
  })
  access_token!: string;

  @Field(literal('Bearer'), { description: 'How it is sent: in `Authorization`, or in `X-Access-Token`.' })
  token_type!: 'Bearer';

  @Field(integer(), {
    optional: true,
    description: 'In how many seconds it stops working; absent for a key without an end.',
    example: 7_776_000,
  })
  expires_in?: number;

  @Field(string(), {
    optional: true,
    description: 'What it can do at most; absent for all that its person may.',
    example: 'use_conversations',
  })
  scope?: string;
}
