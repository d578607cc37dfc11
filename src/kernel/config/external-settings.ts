import { z } from 'zod';
import { commaList, httpUrl, json, optionalText, positive, seconds } from './setting-types';

const registration = z.object({
  name: z.string(),
  source: z.string(),
  ref: z.string().nullable().default(null),
  repo_path: z.string().nullable().default(null),
  auto_load: z.boolean().default(false),
});

const gitCredential = z.object({
  url_prefix: z.string().min(1),
  org_id: z.string().optional(),
  username: z.string(),
  password: z.string(),
});

/** Models, mail, marketplaces and webhooks. */
export const externalSettings = {
  LLM_MODEL: z.string().min(1).max(255).optional().describe('Model of conversations that name none.'),
  LLM_BASE_URL: httpUrl.optional().describe('Base address of an OpenAI-compatible API.'),
  LLM_API_KEY: optionalText.describe('Key for that API.'),
  LLM_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, of models besides `LLM_BASE_URL` that sandboxes reach where they keep off what is not public: names or IP addresses inside a network. Without a port, 80 and 443 are meant.',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })
    .optional()
    .describe(
      'Outgoing mail, `smtp://user:password@host:port`, or `smtps:` for TLS from the start. Without it no mail is sent.',
    ),
  MAIL_FROM: optionalText.describe('Sender of outgoing mail.'),
  INSTANCE_MARKETPLACES: json(z.array(registration), '[]').describe(
    'Marketplace registrations of scope `instance`, a JSON array.',
  ),
  GIT_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, exempt from the public-address and https rules of marketplaces, clones and git searches: http is allowed there. Addresses of ssh and git are never previewed.',
  ),
  GIT_LOCAL_ROOT: optionalText.describe(
    'Folder that local-path marketplaces are read from. Without it they are off.',
  ),
  GIT_CREDENTIALS: json(z.array(gitCredential), '[]').describe(
    'JSON array of `{url_prefix, org_id?, username, password}`, each used for its prefix and organization only.',
  ),
  MARKETPLACE_FETCH_SECONDS: seconds(30).describe('Time limit of fetching one marketplace.'),
  MARKETPLACE_CALL_SECONDS: seconds(60).describe('Time limit of one preview call.'),
  MARKETPLACE_MAX_MEBIBYTES: positive(100).describe('Disk limit of one fetched marketplace, in MiB.'),
  MARKETPLACE_MAX_FILES: positive(20_000).describe(
    'Largest number of files that are read of one repository.',
  ),
  WEBHOOK_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, exempt from the public-address and https rules of webhooks: names or IP addresses inside a network, http as well. Without a port, 80 and 443 are meant.',
  ),
};
