import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Field } from '../declaration/field';
import { anything, dictionary, list, model, string } from '../declaration/field-types';

/** One error of a request (docs/contract.md#validation-errors). The name of the schema is the interface's. */
@ApiSchema({ name: 'ValidationError' })
class IssueEntry {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    description: 'Where it is: path, query, header or body, then names and indexes.',
    example: ['body', 'emails', 0],
  })
  loc!: (string | number)[];

  @Field(string(), { description: 'What is wrong, for people.', example: 'Field required' })
  msg!: string;

  @Field(string(), { description: 'What is wrong, for programs.', example: 'missing' })
  type!: string;

  @Field(anything(), {
    optional: true,
    description: 'The value that was sent; of what is missing, the object it is missing from.',
  })
  input?: unknown;

  @Field(dictionary(), { optional: true, description: 'The limits and reasons that the message names.' })
  ctx?: Record<string, unknown>;
}

/** What a request with errors is answered (docs/contract.md#validation-errors). */
export class HTTPValidationError {
  @Field(list(model(() => IssueEntry)), { description: 'Every error, in the order of the request.' })
  detail!: IssueEntry[];
}
