import { Module } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { z } from 'zod';
import { settingsOf } from './extension';
import { combineExtensions } from './extensions';

class Notes1764000000000 implements MigrationInterface {
  up(): Promise<void> {
    return Promise.resolve();
  }
  down(): Promise<void> {
    return Promise.resolve();
  }
}

@Module({})
class Notes {}

class Ledger {
  check(): Promise<void> {
    return Promise.resolve();
  }
}

class Report {
  run(): object {
    return {};
  }
}

const report = { about: 'Reports.', options: {}, handler: Report } as const;
const withField = { ...report, options: { field: { about: 'field' } } };
const page = { title: 'Budgets', script: __filename };
const spent = z.object({ dollars: z.number() });

describe('extensions', () => {
  it('are put together in the order in which they are given', () => {
    const migrations = [Notes1764000000000];
    const combined = combineExtensions([
      {
        name: 'acme',
        modules: [Notes],
        permissions: { 'acme:read': 'member' },
        migrations,
        events: { 'acme.spent': spent },
        healthChecks: { 'acme.ledger': Ledger },
        consolePages: { 'acme.budgets': page },
        commands: { 'acme:report': report },
      },
      Notes,
      { name: 'other', permissions: { 'other:read': 'owner' }, sandboxDrivers: ['machines'] },
    ]);
    expect(combined).toEqual({
      origins: [
        { name: 'acme', title: 'the extension acme', modules: [Notes], entities: [] },
        { name: 'Notes', title: 'the module Notes', modules: [Notes], entities: [] },
        { name: 'other', title: 'the extension other', modules: [], entities: [] },
      ],
      modules: [Notes, Notes],
      permissions: { 'acme:read': 'member', 'other:read': 'owner' },
      entities: [],
      migrating: [{ name: 'acme', migrations }],
      sandboxDrivers: ['machines'],
      events: { 'acme.spent': spent },
      healthChecks: { 'acme.ledger': Ledger },
      consolePages: { 'acme.budgets': page },
      commands: { 'acme:report': report },
      settings: [],
      settingProblems: [],
    });
  });

  it('have their settings read and checked, by their names', () => {
    const settings = z.object({ ACME_URL: z.url(), ACME_LIMIT: z.coerce.number().default(5) });
    const read = (env: Record<string, string>) => combineExtensions([{ name: 'acme', settings }], env);
    expect(read({ ACME_URL: 'https://acme.example', ACME_LIMIT: '', OTHER: 'x' })).toMatchObject({
      settings: [
        {
          provide: settingsOf('acme'),
          useValue: { ACME_URL: 'https://acme.example', ACME_LIMIT: 5 },
        },
      ],
      settingProblems: [],
    });
    expect(read({ ACME_LIMIT: 'many' }).settingProblems).toEqual([
      'ACME_URL: Invalid input: expected string, received undefined',
      'ACME_LIMIT: Invalid input: expected number, received NaN',
    ]);
  });

  it('say no secret where their schema of settings throws', () => {
    const settings = z.object({ ACME_LIMITS: z.string().transform((text): unknown => JSON.parse(text)) });
    const read = () => combineExtensions([{ name: 'acme', settings }], { ACME_LIMITS: 'hunter2' });
    expect(read).toThrow('The settings of the extension acme cannot be read: its schema throws.');
  });

  it.each([
    [[{ name: 'Acme' }], 'The extension Acme needs another name'],
    [
      [{ name: 'schema' }],
      'The extension schema needs another name: schema_migrations is a table of the service.',
    ],
    [[{ name: 'acme' }, { name: 'acme' }], 'There are two extensions named acme'],
    [[{ name: 'acme', sandboxDrivers: ['docker'] }], 'There are two sandbox drivers named docker'],
    [
      [{ name: 'change_user_role', permissions: { 'change_user_role:owner': 'member' } }],
      "The extension change_user_role has the permission change_user_role:owner, which is the service's own.",
    ],
    [
      [{ name: 'acme', permissions: { 'other:read': 'member' } }],
      'The permission other:read of the extension acme has to begin with acme:.',
    ],
    [
      [{ name: 'acme', healthChecks: { ledger: Ledger } }],
      'The health check ledger of the extension acme has to begin with its name and a dot.',
    ],
    [
      [{ name: 'org', commands: { 'org:create': report } }],
      "The extension org has the command org:create, which is the service's own.",
    ],
    [
      [{ name: 'acme', commands: { report } }],
      'The command report of the extension acme has to be acme: with small letters, digits, - and _ after it.',
    ],
    [
      [{ name: 'acme', commands: { 'acme:Report': report } }],
      'The command acme:Report of the extension acme has to be acme: with',
    ],
    [
      [{ name: 'acme', commands: { 'acme:report': withField } }],
      'The command acme:report has the option field: it needs another name,',
    ],
    [
      [{ name: 'acme', consolePages: { budgets: page } }],
      'The page budgets of the extension acme has to be named acme. and then small letters, digits, - and _, 50 at most.',
    ],
    [
      [{ name: 'acme', consolePages: { 'acme.budgets': { title: 'Budgets', script: '/nowhere.js' } } }],
      'The page acme.budgets of the extension acme has no script at /nowhere.js.',
    ],
    [
      [{ name: 'acme', events: { 'other.spent': spent } }],
      'The event other.spent of the extension acme has to be named acme. and then small letters, digits and _, 50 at most.',
    ],
    [
      [{ name: 'acme', events: { 'acme.Spent.twice': spent } }],
      'The event acme.Spent.twice of the extension acme has to be named acme. and then',
    ],
    [
      [{ name: 'member', events: { 'member.added': spent } }],
      "The event member.added of the extension member cannot be: all that begins with member. is the service's own.",
    ],
    [
      [{ name: 'acme', events: { 'acme.spent': z.object({ org_id: z.uuid() }) } }],
      'The event acme.spent of the extension acme has the field org_id, which the service gives every event.',
    ],
    [
      [{ name: 'acme', events: { 'acme.spent': z.object({ on: z.date() }) } }],
      'The event acme.spent of the extension acme cannot be written as JSON: Date cannot be represented in JSON Schema.',
    ],
    [
      [{ name: 'acme', settings: z.object({ URL: z.url() }) }],
      'The setting URL of the extension acme has to begin with ACME_.',
    ],
    [
      [{ name: 'log', settings: z.object({ LOG_LEVEL: z.string() }) }],
      "The extension log has the setting LOG_LEVEL, which is the service's own.",
    ],
  ] as const)('%j are refused: %s', (extensions, sentence) => {
    expect(() => combineExtensions(extensions)).toThrow(sentence);
  });
});
