import { decodedOnce, MAX_ENCODINGS } from './door-target';

const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Below these an agent server keeps models, what is needed to call them, and agents that run on them. */
const KEPT_MODELS =
  /^\/api\/(?:settings|profiles|llm|agent-profiles|meta-profiles|acp|provider-connections|init)(?:\/|$)/;

/** What makes a conversation, with a model of the caller's. */
const NEW_CONVERSATION = /^\/api(?:\/acp)?\/conversations\/?$/;

/** What gives a conversation another model. */
const OTHER_MODEL = /^\/api(?:\/acp)?\/conversations\/[^/]+\/switch_(?:llm|profile|acp_model)(?:\/|$)/;

/** What makes one on every call, in the manner of OpenAI. */
const AS_OPENAI = /^\/v1(?:\/|$)/;

const CLOSED: readonly RegExp[] = [KEPT_MODELS, NEW_CONVERSATION, OTHER_MODEL, AS_OPENAI];

/**
 * Whether a request would have an agent server call a model of the caller's choice, past the gateway for models. A path counts in
 * every way in which a server might read it, so that more than those that do are closed.
 * @param path one that the door passes on: deeper encodings, and bytes that are no text, it refuses
 */
export function choosesModel(method: string, path: string): boolean {
  if (READING.includes(method)) return false;
  return readingsOf(path).some((reading) => CLOSED.some((closed) => closed.test(reading)));
}

function readingsOf(path: string): string[] {
  const readings = [plain(path)];
  let reading = path;
  for (let encodings = 0; encodings < MAX_ENCODINGS && reading.includes('%'); encodings++) {
    const next = decodedOnce(reading);
    if (next === null) break;
    reading = next;
    readings.push(plain(reading));
  }
  return readings;
}

function plain(path: string): string {
  const segments = path
    .toLowerCase()
    .replaceAll(/[\t\n\r]/g, '')
    .split(/[/\\]+/)
    .map((segment) => (segment.split(/[;?#]/, 1)[0] ?? '').trim());
  return `/${segments.filter((segment) => segment !== '' && segment !== '.').join('/')}`;
}
