import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { withApplication } from '../../command-application';
import { readSettings } from '../../kernel/config';
import { migrate, undoExtension } from '../../kernel/database';
import { deleteJobs, JobHandlers, type StoredJobs } from '../../kernel/jobs';
import { SandboxDrivers, type SandboxesOfDriver, SandboxesWithoutDriver } from '../../sandboxes/sandboxes';
import type { Prepared } from '../../start-up';
import { type Leftovers, leftoversIn } from '../../leftovers';
import { type Given, type Separated, separateExtension } from '../extensions';
import { CommandError } from './command-error';
import { withInstallation } from './run-on-database';

/** What is to be removed. */
interface Removal {
  /** The name of the extension. */
  readonly name: string;
  readonly withTables: boolean;
  /** Its sandbox drivers, besides those that it says itself. */
  readonly drivers: readonly string[];
}

/** What was removed of an extension. */
interface Removed {
  readonly jobs: readonly StoredJobs[];
  readonly sandboxes: readonly SandboxesOfDriver[];
  /** The migrations that were undone. */
  readonly migrations: readonly string[];
  /** What nobody has now, of this extension or of others. */
  readonly left: Leftovers;
  /** What was not done, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Deletes what an extension has left in the database: jobs that nobody else has a handler for, sandboxes of its drivers, and on
 * request its tables. Which jobs are its own is known where it can be loaded; else, their names begin with its own.
 * @throws CommandError, StartError, SettingsError
 */
export async function removeExtension(
  removal: Removal,
  env: Readonly<Record<string, string | undefined>>,
  given: Given,
): Promise<Removed> {
  const separated = await separateExtension(removal.name, given, env);
  const settings = readSettings({ LOG_LEVEL: 'warn', ...env, SANDBOX_DRIVER: '' });
  return withInstallation(settings, separated.others, async (prepared) => {
    const isOwn = await ownJobs(removal, separated, prepared);
    return withApplication(prepared.installation, async (app) => {
      const sandboxes = await removeSandboxes(app, [...removal.drivers, ...separated.one.sandboxDrivers]);
      const waiting = (await leftoversIn(app, separated.others)).jobs.map((job) => job.name).filter(isOwn);
      const jobs = await deleteJobs(app.get(DataSource), waiting);
      const migrations = removal.withTables ? await removeTables(separated, prepared) : [];
      const left = await leftoversIn(app, separated.others);
      return { jobs, sandboxes, migrations, left, notes: notesOf(removal, sandboxes, left) };
    });
  });
}

/** Recognizes the jobs of an extension by their names, without the hosts that some are bound to. */
async function ownJobs(
  { name }: Removal,
  { one, all }: Separated,
  { installation }: Prepared,
): Promise<(job: string) => boolean> {
  if (one.origins.length === 0)
    return (job) => job.startsWith(name) && !/^[a-z0-9_]/i.test(job.slice(name.length));
  const kinds = await withApplication({ ...installation, extensions: all }, (app) =>
    Promise.resolve(app.get(JobHandlers).kinds()),
  );
  return (job) => kinds.includes(job);
}

/** @throws CommandError where somebody has the driver, whose sandboxes are then deleted as others are */
async function removeSandboxes(
  app: INestApplicationContext,
  drivers: readonly string[],
): Promise<SandboxesOfDriver[]> {
  const present = drivers.find((driver) => app.get(SandboxDrivers).find(driver) !== undefined);
  if (present !== undefined)
    throw new CommandError(`The sandbox driver ${present} is there, and no leftover.`);
  const removed: SandboxesOfDriver[] = [];
  for (const driver of new Set(drivers)) {
    const sandboxes = await app.get(SandboxesWithoutDriver).deleteAll(driver);
    if (sandboxes > 0) removed.push({ driver, sandboxes });
  }
  return removed;
}

/** Nothing where the extension is not loaded, or has no migrations. @throws ExtensionError, StartError */
async function removeTables({ one }: Separated, { ownerUrl }: Prepared): Promise<string[]> {
  const undone: string[] = [];
  await migrate(ownerUrl, async (url) => {
    for (const { name, migrations } of one.migrating)
      undone.push(...(await undoExtension(url, name, migrations)));
  });
  return undone;
}

function notesOf(
  { name, withTables }: Removal,
  sandboxes: readonly SandboxesOfDriver[],
  left: Leftovers,
): string[] {
  const table = `${name}_migrations`;
  return [
    ...sandboxes.map(
      ({ driver }) =>
        `What the sandboxes of ${driver} ran on was not deleted: look there for machines that are left.`,
    ),
    ...(left.tables.includes(table)
      ? [
          withTables
            ? `Its tables and ${table} were not dropped: EXTENSIONS has to name it, for its migrations to undo what they made.`
            : `Its tables and ${table} stay, for when it returns: --tables drops them.`,
        ]
      : []),
  ];
}
