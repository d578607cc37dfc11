import { z } from 'zod';

declare module 'tar-stream' {
  interface Headers {
    /** Missing in its types: PAX records, by their POSIX names. */
    pax?: Readonly<Record<string, string>> | null;
  }
}

/** The version of the format; one that this build does not know is refused. */
const FORMAT = 1;

export const HEADER = 'header.json';
export const TABLES = 'tables/';
export const FILES = 'data/';
export const END = 'end.json';

/** The first entry of a backup. */
export const headerSchema = z.object({
  format: z.literal(FORMAT),
  made_at: z.iso.datetime(),
  /** The version of the service that made it. */
  version: z.string(),
  /** What secrets in the tables are encrypted with. */
  secret_key: z.string(),
  migrations: z.array(z.string()),
  /** Of extensions, by their names. */
  extension_migrations: z.record(z.string(), z.array(z.string())),
  jobs_version: z.number().int(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).readonly() })),
});
export type Header = z.infer<typeof headerSchema>;

/** The last entry of a backup; without it the backup is incomplete. */
export const endSchema = z.object({
  /** By the names of the tables. */
  rows: z.record(z.string(), z.number().int()),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
  files: z.number().int(),
});
export type End = z.infer<typeof endSchema>;

/** The header of a new backup. */
export function headerOf(header: Omit<Header, 'format'>): Header {
  return { format: FORMAT, ...header };
}
