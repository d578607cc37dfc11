/**
 * `npm run lint:openapi`: the recommended rules of Redocly and of Spectral (`spectral:oas`) on `openapi.json`.
 * By their libraries: their command lines bring a browser's worth of packages and ask the network for updates.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';

const require = createRequire(import.meta.url);
const { Document, Spectral } = require('@stoplight/spectral-core');
const Parsers = require('@stoplight/spectral-parsers');
const { oas } = require('@stoplight/spectral-rulesets');

const file = process.argv[2] ?? join(dirname(dirname(fileURLToPath(import.meta.url))), 'openapi.json');

/** Users' ids are UUIDs: none is the `invite` of the other path. */
const KNOWN = 'Found two ambiguous paths: `/api/organizations/{org_id}/members/{user_id}/sign-in-link`';

const redocly = await lint({ ref: file, config: await createConfig({ extends: ['recommended'] }) });
const spectral = new Spectral();
spectral.setRuleset({ extends: [[oas, 'recommended']] });
const document = new Document(readFileSync(file, 'utf8'), Parsers.Json, file);
const problems = [
  ...redocly
    .filter(({ message }) => !message.includes(KNOWN))
    .map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ...(await spectral.run(document)).map(
    ({ code, message, path }) => `spectral ${code}: ${message} #/${path.join('/')}`,
  ),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
