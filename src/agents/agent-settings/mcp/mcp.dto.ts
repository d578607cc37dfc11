import { HIDDEN } from '../../../kernel/common';
import {
  anything,
  boolean,
  dictionary,
  Field,
  list,
  number,
  oneOf,
  string,
} from '../../../kernel/validation';

const secrets = { example: { Authorization: HIDDEN } };

/** A server with tools for agents: reached at an address, or started in the sandbox by a command. */
export class McpServerView {
  @Field(oneOf(['stdio', 'http', 'streamable-http', 'sse']), {
    optional: true,
    description: 'How agents talk to it.',
    example: 'http',
  })
  transport?: 'stdio' | 'http' | 'streamable-http' | 'sse';

  @Field(string(), { optional: true, description: 'Its address.', example: 'https://mcp.example.com/mcp' })
  url?: string;

  @Field(string(), { optional: true, description: 'The command that starts it.' })
  command?: string;

  @Field(list(string()), { optional: true, description: 'Arguments of the command.' })
  args?: string[];

  @Field(dictionary(string()), { optional: true, description: 'Its variables, values redacted.' })
  env?: Record<string, string>;

  @Field(string(), { optional: true, description: 'Folder that the command is started in.' })
  cwd?: string;

  @Field(string(), { optional: true, description: 'What it is for.' })
  description?: string;

  @Field(string(), { optional: true, description: 'A picture of it.' })
  icon?: string;

  @Field(number(), { optional: true, description: 'Seconds that a call of a tool may take.' })
  timeout?: number;

  @Field(number(), { optional: true, description: 'Seconds between two events of a stream.' })
  sse_read_timeout?: number;

  @Field(boolean(), { optional: true, description: 'Whether it goes on between calls.' })
  keep_alive?: boolean;

  @Field(dictionary(string()), {
    optional: true,
    description: 'Headers of calls, values redacted.',
    ...secrets,
  })
  headers?: Record<string, string>;

  @Field(dictionary(anything()), {
    optional: true,
    description: 'How agents identify themselves there, secrets redacted.',
  })
  auth?: Record<string, unknown>;

  @Field(boolean(), { optional: true, description: 'Whether agents get it; absent for yes.' })
  enabled?: boolean;
}
