import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type AuditFilter,
  auditRowsByPosition,
  EVERYTHING,
  type ExportFormat,
  exportFormats,
} from '../../../accounts/audit-log';
import { type Batch, inBatches } from '../../../kernel/common';
import { readSettings } from '../../../kernel/config';
import { createMaintenanceDataSource } from '../../../kernel/database';
import { type CommandOptions, gatherExtensions, type Given } from '../../extensions';
import { CommandError } from '../command-error';
import { timeOf, uuidOf } from '../option-values';
import { withInstallation } from '../run-on-database';

/** Rows read and written at once. */
const BATCH = 1_000;

/** What is exported. */
interface Request {
  /** Null for what belongs to no organization, undefined for everything. */
  readonly orgId: string | null | undefined;
  readonly filter: AuditFilter;
  readonly format: ExportFormat;
}

/**
 * Writes the audit log to standard output as it is read, in the order in which it was written.
 * @throws CommandError, StartError, SettingsError
 */
export async function exportAuditLog(
  options: CommandOptions,
  env: Readonly<Record<string, string | undefined>>,
  given: Given,
): Promise<void> {
  const { orgId, filter, format } = requestOf(options);
  const extensions = await gatherExtensions(given, env);
  const settings = readSettings({ ...env, SANDBOX_DRIVER: '' });
  await withInstallation(settings, extensions, async ({ installation }) => {
    const database = await createMaintenanceDataSource(installation.databaseUrl, 1).initialize();
    try {
      const next = async (after: string): Promise<Batch<string>> => {
        const rows = await auditRowsByPosition(database, orgId, filter, after, BATCH);
        return { lines: rows.map(format.line).join(''), last: rows.at(-1)?.position ?? null };
      };
      const text = inBatches(format.header, await next('0'), next, new AbortController().signal);
      await pipeline(Readable.from(text), process.stdout, { end: false });
    } finally {
      await database.destroy();
    }
  });
}

/** @throws CommandError */
function requestOf({ org, installation, since, until, format = 'jsonl' }: CommandOptions): Request {
  if (org !== undefined && installation !== undefined)
    throw new CommandError('Either --org or --installation: rows of one organization, or of none.');
  const [, known] = Object.entries(exportFormats).find(([name]) => name === format) ?? [];
  if (known === undefined)
    throw new CommandError(`--format must be one of ${Object.keys(exportFormats).join(', ')}.`);
  return {
    orgId: installation !== undefined ? null : org === undefined ? undefined : uuidOf('org', org),
    filter: {
      ...EVERYTHING,
      since: since === undefined ? null : timeOf('since', since),
      until: until === undefined ? null : timeOf('until', until),
    },
    format: known,
  };
}
