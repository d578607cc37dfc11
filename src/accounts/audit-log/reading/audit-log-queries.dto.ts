import { OUTCOMES } from '../../../kernel/domain-events';
import { dateTime, Field, integer, oneOf, string, uuid } from '../../../kernel/validation';

const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const TIME = '2026-11-21T09:30:00.000Z';
/** As long as the id of a target may be. */
const MAX_TEXT = 500;

/** Which rows: each filter narrows what the others leave. */
export class AuditLogSelection {
  @Field(dateTime(), { nullable: true, description: 'What happened then or later.', example: TIME })
  since: Date | null = null;

  @Field(dateTime(), {
    nullable: true,
    description: 'What happened before.',
    example: '2026-11-22T00:00:00.000Z',
  })
  until: Date | null = null;

  @Field(uuid(), { nullable: true, description: 'What this user did.', example: USER })
  actor: string | null = null;

  @Field(string({ maxLength: MAX_TEXT }), {
    nullable: true,
    description: 'The id of an operation, or what commands and the service itself did.',
    example: 'changeMemberRole',
  })
  action: string | null = null;

  @Field(string({ maxLength: MAX_TEXT }), {
    nullable: true,
    description: 'The id of what it was done to.',
    example: USER,
  })
  target: string | null = null;

  @Field(oneOf(OUTCOMES), { nullable: true, description: 'What became of it.', example: 'refused' })
  outcome: (typeof OUTCOMES)[number] | null = null;
}

/** Shapes of rows in pages. */
export const PAGE_FORMATS = ['rows', 'ocsf'] as const;

/** Formats of exports. */
export const EXPORT_FORMATS = ['csv', 'jsonl', 'ocsf'] as const;

/** Query of the list. */
export class AuditLogQuery extends AuditLogSelection {
  @Field(integer({ ge: 0, le: Number.MAX_SAFE_INTEGER }), {
    nullable: true,
    description:
      'Rows behind this position, in the order in which they were written: nothing comes in between later. 0 for the first one.',
    example: 0,
  })
  after: number | null = null;

  @Field(string(), {
    nullable: true,
    description: 'Where the page starts: `next_page_id` of the page before, with the same filters.',
  })
  page_id: string | null = null;

  @Field(integer({ ge: 1 }), { description: 'Most items on the page; above 100 counts as 100.', example: 50 })
  limit = 100;

  @Field(oneOf(PAGE_FORMATS), { description: 'The rows as they are, or as OCSF events.' })
  format: (typeof PAGE_FORMATS)[number] = 'rows';
}

/** Query of the export. */
export class AuditLogExport extends AuditLogSelection {
  @Field(oneOf(EXPORT_FORMATS), {
    description: 'CSV; JSON Lines; or OCSF events, as JSON Lines.',
    example: 'csv',
  })
  format: (typeof EXPORT_FORMATS)[number] = 'csv';
}
