import { ACTOR_KINDS, OUTCOMES } from '../../../kernel/domain-events';
import {
  anything,
  boolean,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  model,
  oneOf,
  string,
  union,
} from '../../../kernel/validation';

const ID = '0b7f8a31-5f0e-4d0c-9a39-2f6f1d0c8e11';
const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const TIME = '2026-11-21T09:30:00.000Z';

/** Who did it. */
export class AuditLogActor {
  @Field(oneOf(ACTOR_KINDS), {
    description:
      'A user or a service account; a directory, a sandbox or another service by its key; an operator at the command line; or the service itself.',
    example: 'user',
  })
  kind!: (typeof ACTOR_KINDS)[number];

  @Field(string(), { nullable: true, description: 'The user; null for who is none.', example: USER })
  user_id!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The first characters of the key.',
    example: null,
  })
  key_prefix!: string | null;

  @Field(boolean(), { description: 'Whether a browser that is signed in sent the call.', example: true })
  session!: boolean;

  @Field(string(), {
    nullable: true,
    description: 'What the user is called now; null for an erased one.',
    example: 'Ada Lovelace',
  })
  name!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'Their address now; null for an erased one.',
    example: 'ada@example.com',
  })
  email!: string | null;
}

/** What it was done to. */
export class AuditLogTarget {
  @Field(string(), { description: 'What it is.', example: 'user' })
  type!: string;

  @Field(string(), { description: 'Its id.', example: USER })
  id!: string;
}

/** Something that was changed. */
export class AuditLogChange {
  @Field(string(), { description: 'What it is of, as the database calls it.', example: 'org_members' })
  table!: string;

  @Field(string(), { description: 'Its id.', example: USER })
  id!: string;

  @Field(dictionary(anything()), {
    nullable: true,
    description: 'What changed, as it was; null for what was made.',
    example: { role: 'member' },
  })
  before!: Record<string, unknown> | null;

  @Field(dictionary(anything()), {
    nullable: true,
    description: 'What changed, as it is; null for what was deleted.',
    example: { role: 'admin' },
  })
  after!: Record<string, unknown> | null;
}

/** Where it came from. */
export class AuditLogOrigin {
  @Field(string(), { nullable: true, description: 'The address of the caller.', example: '203.0.113.7' })
  address!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The program of the caller, as it calls itself; its first 200 characters.',
    example: 'Mozilla/5.0',
  })
  user_agent!: string | null;
}

/** A row of the audit log. */
export class AuditLogEntry {
  @Field(integer(), {
    description:
      'Its place among all rows of the installation: rows that were written later have higher ones.',
    example: 4711,
  })
  position!: number;

  @Field(string(), { description: 'Its id.', example: ID })
  id!: string;

  @Field(string(), {
    nullable: true,
    description: 'The organization.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id!: string | null;

  @Field(dateTime(), { description: 'When it happened.', example: TIME })
  at!: string;

  @Field(model(() => AuditLogActor), { description: 'Who did it.' })
  actor!: AuditLogActor;

  @Field(string(), {
    description: 'The id of the operation; of commands and of the service itself, what they do.',
    example: 'changeMemberRole',
  })
  action!: string;

  @Field(model(() => AuditLogTarget), { nullable: true, description: 'What it was done to.' })
  target!: AuditLogTarget | null;

  @Field(list(model(() => AuditLogChange)), {
    nullable: true,
    description: 'Settings, roles and policies before and after; never a secret.',
  })
  changes!: AuditLogChange[] | null;

  @Field(boolean(), { description: 'Whether changes were too large to be kept.', example: false })
  changes_dropped!: boolean;

  @Field(oneOf(OUTCOMES), {
    description: 'Whether it was done, was refused (401, 403, 429), or failed otherwise.',
    example: 'success',
  })
  outcome!: (typeof OUTCOMES)[number];

  @Field(integer(), {
    nullable: true,
    description: 'The status of the response; null for what was no request.',
    example: 200,
  })
  status!: number | null;

  @Field(string(), {
    nullable: true,
    description: 'The code of the error; null for a success.',
    example: null,
  })
  code!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The id of the request, as the log of the service has it.',
    example: 'b1a2c3d4-0000-4000-8000-000000000001',
  })
  request_id!: string | null;

  @Field(model(() => AuditLogOrigin), {
    nullable: true,
    description: 'Where the call came from; null once it was erased with the person.',
  })
  personal!: AuditLogOrigin | null;

  @Field(string(), {
    nullable: true,
    description: 'SHA-256 of a salt and `personal`, in hex: part of what `hash` is of.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  personal_digest!: string | null;

  @Field(string(), {
    description: 'SHA-256 of the hash before it in the organization, followed by the row, in hex.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  hash!: string;
}

/**
 * A row as an event of the Open Cybersecurity Schema Framework, with the attributes of its class: OCSF says which, and what they
 * mean (docs/audit-log.md#ocsf).
 */
export class OcsfEvent {
  @Field(integer(), { description: 'The class: 3001, 3002, 3005 or 6003.', example: 3005 })
  class_uid!: number;

  @Field(integer(), { description: 'What was done, in the class.', example: 1 })
  activity_id!: number;

  @Field(integer(), { description: 'When it happened, in milliseconds since 1970.', example: 1795253400000 })
  time!: number;

  @Field(integer(), { description: '1 for a success, 2 for anything else.', example: 1 })
  status_id!: number;

  @Field(dictionary(anything()), {
    description: 'Version and product; `uid` is the id of the row, `sequence` its position.',
    example: { version: '1.5.0', uid: ID, sequence: 4711 },
  })
  metadata!: Record<string, unknown>;
}

/** One page of the log. */
export class AuditLogPage {
  @Field(
    list(
      union(
        () => AuditLogEntry,
        () => OcsfEvent,
      ),
    ),
    {
      description: 'The rows of the page, in the shape that was asked for.',
    },
  )
  items!: (AuditLogEntry | OcsfEvent)[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
