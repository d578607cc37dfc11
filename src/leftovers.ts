import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { extensionsWithMigrations } from './kernel/database';
import { JobHandlers, type StoredJobs, unhandledJobs } from './kernel/jobs';
import { type SandboxesOfDriver, SandboxesWithoutDriver } from './sandboxes/sandboxes';
import type { Extensions } from './operations/extensions';

/** What the database has of extensions that are not loaded. */
export interface Leftovers {
  /** Jobs that nobody has a handler for. */
  readonly jobs: readonly StoredJobs[];
  /** Sandboxes whose driver nobody registers. */
  readonly sandboxes: readonly SandboxesOfDriver[];
  /** Records of migrations, each in the table of an extension. */
  readonly tables: readonly string[];
}

/** Looks for what nobody has any more. @param app with its hooks called, in which handlers and listeners are registered */
export async function leftoversIn(
  app: INestApplicationContext,
  { migrating }: Extensions,
): Promise<Leftovers> {
  const database = app.get(DataSource);
  const [jobs, sandboxes, migrated] = await Promise.all([
    unhandledJobs(database, app.get(JobHandlers).kinds()),
    app.get(SandboxesWithoutDriver).counts(),
    extensionsWithMigrations(database),
  ]);
  const loaded = new Set(migrating.map(({ name }) => name));
  const tables = migrated.filter((name) => !loaded.has(name)).map((name) => `${name}_migrations`);
  return { jobs, sandboxes, tables };
}

/** Leftovers as one sentence; null where there are none. */
export function sentenceOf({ jobs, sandboxes, tables }: Leftovers): string | null {
  const all = [
    ...jobs.map((each) => `${counted(each.jobs, 'job')} named ${each.name}`),
    ...sandboxes.map((each) => `${counted(each.sandboxes, 'sandbox', 'es')} of the driver ${each.driver}`),
    ...tables.map((table) => `the table ${table}`),
  ];
  return all.length === 0
    ? null
    : `What belongs to no extension that is loaded waits in the database: ${all.join(', ')}.`;
}

function counted(number: number, noun: string, plural = 's'): string {
  return `${number} ${noun}${number === 1 ? '' : plural}`;
}
