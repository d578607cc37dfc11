import { type AuditVerification, verifyAuditLog } from '../../../accounts/audit-log';
import { SecretBox, StartError } from '../../../kernel/common';
import { readSettings } from '../../../kernel/config';
import { createMaintenanceDataSource, pendingMigrations } from '../../../kernel/database';
import { DataDir } from '../../../data-dir';
import { checkDatabase } from '../../../schema';
import { openDatabase } from '../../../start-up';

const QUIET = { info: () => undefined, warn: () => undefined };

/**
 * Looks at the audit log of an installation; changes nothing. The service may run meanwhile.
 * @param orgId the only organization to look at; null for all, and for the installation
 * @throws StartError, SettingsError
 */
export async function verifyAuditLogOf(
  env: Readonly<Record<string, string | undefined>>,
  orgId: string | null,
): Promise<AuditVerification> {
  const settings = readSettings({ ...env, SANDBOX_DRIVER: '' });
  const key = settings.SECRET_KEY ?? (await (await DataDir.existing(settings.DATA_DIR)).knownSecretKey());
  if (key === null)
    throw new StartError(
      `DATA_DIR has no ${DataDir.SECRET_KEY}, which the seals of the audit log are made with.`,
    );
  const database = await openDatabase(settings, 'command', { log: QUIET });
  try {
    await checkDatabase(database, QUIET);
    const pending = await pendingMigrations(database.url);
    if (pending.length > 0)
      throw new StartError(
        `The schema is not that of this build: ${pending.length} migrations have not run.`,
      );
    const source = await createMaintenanceDataSource(database.url, 1).initialize();
    try {
      const found = await verifyAuditLog(source, new SecretBox([key, ...settings.SECRET_KEYS_OLD]), orgId);
      if (orgId !== null && found.chains === 0)
        throw new StartError('There are no rows of this organization in the audit log, and never were.');
      return found;
    } finally {
      await source.destroy();
    }
  } finally {
    await database.stop();
  }
}

/** Lines for people: what was looked at, and what is wrong. */
export function reportOfAuditLog(found: AuditVerification): string {
  const { chains, rows, seals, unsealed, removed_rows, removed_spans, erased, damaged, findings } = found;
  const looked = `${counted(rows, 'row')} in ${counted(chains, 'chain')}, ${unsealed} of them behind the last seal; ${counted(seals, 'seal')}.`;
  const besides = `Retention has removed ${counted(removed_rows, 'row')} in ${counted(removed_spans, 'sealed span')}; the personal parts of ${counted(erased, 'row')} were erased.`;
  const listed = findings.map(
    ({ kind, org_id, position, says }) =>
      `fail  ${kind.padEnd(8)}  ${org_id ?? 'installation'.padEnd(36)}  ${position}\n      ${says}`,
  );
  const more = damaged - findings.length;
  return [
    damaged === 0
      ? 'ok    The audit log is as it was written.'
      : 'fail  The audit log is not as it was written.',
    `      ${looked}`,
    `      ${besides}`,
    ...listed,
    ...(more > 0 ? [`      ${more} more are not listed.`] : []),
  ].join('\n');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
