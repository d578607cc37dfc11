import { anything, dictionary, Field, number, oneOf, string } from '../../../kernel/validation';

/** A call for the agent server of a sandbox (docs/contract.md#relayed-calls). */
export class RelayedCall {
  @Field(string({ maxLength: 2_048 }), {
    description: 'Address of the sandbox, as its record has it.',
    example: 'http://localhost:20001',
  })
  host!: string;

  @Field(oneOf(['GET', 'POST']), { description: 'Method of the call.', example: 'GET' })
  method!: 'GET' | 'POST';

  @Field(string({ maxLength: 8_192 }), {
    description: 'Path of the call, with its query.',
    example: '/api/git/commits?path=/workspace/project&limit=50',
  })
  path!: string;

  @Field(dictionary(string({ maxLength: 4_096 }), { max: 50 }), {
    description: 'Only `X-Session-API-Key` counts.',
    example: { 'X-Session-API-Key': 'key-of-the-sandbox' },
  })
  headers: Record<string, string> = {};

  @Field(anything(), { optional: true, description: 'Body of the call: JSON, or its text.' })
  body?: unknown;

  @Field(number({ gt: 0, le: 300 }), {
    optional: true,
    nullable: true,
    description: 'How long it may take; 30 unless said, 300 for `condense`.',
    example: 30,
  })
  timeout_seconds?: number | null;
}
