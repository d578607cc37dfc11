import { boolean, dateTime, Field, integer, string } from '../../../kernel/validation';

/** A browser signed in with a key. */
export class BrowserSessionResponse {
  @Field(integer(), { description: 'Id of the session.', example: 7 })
  id!: number;

  @Field(integer(), {
    description: 'Id of the key it was started with, and with which it ends.',
    example: 12,
  })
  api_key_id!: number;

  @Field(string(), {
    nullable: true,
    description: 'What the browser said of itself.',
    example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  })
  user_agent!: string | null;

  @Field(dateTime(), { description: 'When it signed in.', example: '2026-11-21T09:30:00.000Z' })
  created_at!: string;

  @Field(dateTime(), { description: 'To the hour.', example: '2026-11-22T07:00:00.000Z' })
  last_used_at!: string;

  @Field(dateTime(), {
    description: 'When it ends if it is not used until then.',
    example: '2026-12-22T07:00:00.000Z',
  })
  expires_at!: string;

  @Field(boolean(), { description: 'Whether this request is one of it.', example: true })
  is_current!: boolean;
}

/** Path of operations on one session. */
export class BrowserSessionPath {
  @Field(string(), {
    description: "The session's id.",
    example: '7',
    exampleFrom: {
      get: '/api/sessions',
      list: '',
      value: 'id',
      none: 'You are signed in in no browser: sign in to the web interface, and read GET /api/sessions.',
    },
  })
  session_id!: string;
}

/** Response of `DELETE /api/sessions/{session_id}`. */
export class BrowserSessionEnded {
  @Field(string(), { description: 'One sentence for people.', example: 'The session was ended.' })
  message!: string;
}
