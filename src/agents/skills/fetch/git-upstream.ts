import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { checkedLookup, MEBIBYTE, messageOf, upTo } from '../../../kernel/common';
import { GitAddressProblem, isBelow, portOf, readFetchedAddress } from '../../git-credentials';
import type { GitCredential } from './git/git-environment';
import { RegistrationProblem } from '../registration/registration-problem';
import { Destinations } from '../git-proxy/tunnel';

/** Patterns of git's messages and the sentence for the caller; the first match wins. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/couldn't find remote ref HEAD/i, 'the repository is empty'],
  [
    /couldn't find remote ref|not our ref|unadvertised object|Not a valid object name|not a tree object/i,
    'the repository has no such branch, tag or commit',
  ],
  [
    /could not read (Username|Password)|Authentication failed|terminal prompts disabled|error: 40[13]\b/i,
    'the repository asks for credentials that this service does not have for it',
  ],
  [/error: 3\d\d\b|unable to update url base/i, 'the server sends elsewhere, which is not followed'],
  [/not found|error: 404|does not appear to be a git repository/i, 'there is no such repository'],
  [/SSL|certificate|TLS/i, 'the server’s certificate is not accepted'],
  [/error: (429|5\d\d)/i, 'the server is out of order at the moment'],
  [
    /could not resolve|failed to connect|connection (refused|reset)|timed out|empty reply|hung up/i,
    'the server cannot be reached',
  ],
  [/mismatched algorithms/i, 'repositories with SHA-256 ids cannot be previewed'],
  [/out of memory|memory exhausted|mmap failed/i, 'the repository takes too much memory to read'],
  [/No space left/i, 'there is no room on the disk'],
];

/** Maps git's messages, which may contain anything, to one of our own sentences. */
export function registrationProblemOf(messages: string): RegistrationProblem {
  const ours = messages
    .split('\n')
    .filter((line) => !line.startsWith('remote:'))
    .join('\n');
  const found = SENTENCES.find(([pattern]) => pattern.test(ours));
  return new RegistrationProblem(found?.[1] ?? 'git could not fetch the repository', {
    cause: new Error(withoutCredentials(ours)),
  });
}

/** For the operator's log: URLs without user and password. */
function withoutCredentials(messages: string): string {
  return messages.replace(/\/\/[^/@\s]*@/g, '//****@');
}

const CONNECT_MS = 10_000;
/** The wants and haves of a client. */
const MAX_SENT_BYTES = 64 * MEBIBYTE;
/** Renamed repositories, and addresses without the `.git` that a server wants. */
const MAX_REDIRECTS = 3;
const REFS = '/info/refs';
/** The first request of a fetch. */
export const FETCHED_REFS = `${REFS}?service=git-upload-pack`;

/** A request to the server of a repository. */
interface UpstreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; null for a GET. */
  readonly body: Readable | null;
  readonly signal: AbortSignal;
}

/** The service's own requests to servers of git, at checked addresses and with credentials that nobody else sees. */
@Injectable()
export class GitUpstream {
  constructor(private readonly destinations: Destinations) {}

  /**
   * Finds out where a repository is that a credential is kept for: redirects are followed within the host and within what
   * the credential is for.
   * @throws RegistrationProblem when it is elsewhere, or the server says that there is none for the credential
   */
  async locate(address: string, credential: GitCredential, signal: AbortSignal): Promise<string> {
    let url = address;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const sent = { headers: {}, body: null, signal };
      const answer = await this.send(`${url}${FETCHED_REFS}`, credential, sent);
      answer.destroy();
      const { statusCode: status = 0, headers } = answer;
      if (status >= 400) throw registrationProblemOf(`error: ${status}`);
      if (status < 300 || headers.location === undefined) return url;
      url = this.redirected(url, headers.location, credential);
    }
    throw elsewhere();
  }

  /**
   * Sends a request with a credential; redirects are not followed.
   * @returns the answer, which the caller reads or destroys
   * @throws RegistrationProblem when the server is not at an address that may be connected to, or does not answer
   */
  async send(
    address: string,
    { username, password }: GitCredential,
    { headers, body, signal }: UpstreamRequest,
  ): Promise<IncomingMessage> {
    const { protocol, hostname } = new URL(address);
    const port = portOf(address);
    if (protocol !== 'https:' && !this.destinations.allows(hostname, port))
      throw new RegistrationProblem('the host may be reached by https only');
    const addresses = await this.destinations.addressesOf(hostname, port);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const options = {
      method: body === null ? 'GET' : 'POST',
      headers: { ...headers, authorization },
      agent: false,
      signal,
      lookup: checkedLookup(addresses),
      autoSelectFamily: true,
    };
    try {
      return await answerOf(
        (answered) => (protocol === 'https:' ? requestHttps : requestHttp)(address, options, answered),
        body,
      );
    } catch (cause) {
      signal.throwIfAborted();
      throw unreachable(cause);
    }
  }

  private redirected(from: string, location: string, credential: GitCredential): string {
    // Put together by hand, so that it is read before anything is resolved in it.
    const target = /^\/(?!\/)/.test(location) ? new URL(from).origin + location : location;
    const end = target.lastIndexOf(REFS);
    if (end === -1) throw elsewhere();
    try {
      const { url } = readFetchedAddress(target.slice(0, end), this.destinations);
      if (isBelow(url, credential.url_prefix)) return url;
    } catch (error) {
      if (!(error instanceof GitAddressProblem)) throw error;
    }
    throw elsewhere();
  }
}

function answerOf(
  open: (answered: (answer: IncomingMessage) => void) => ClientRequest,
  body: Readable | null,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = open(resolve);
    const timer = setTimeout(() => outgoing.destroy(new Error('timed out')), CONNECT_MS);
    outgoing.on('error', reject).once('close', () => {
      clearTimeout(timer);
      // A connection that would switch protocols is closed without an error.
      reject(new Error('closed without an answer'));
    });
    outgoing.once('socket', (socket) => socket.once('connect', () => clearTimeout(timer)));
    if (body === null) outgoing.end();
    else pipeline(body, upTo(MAX_SENT_BYTES), outgoing, (error) => error && reject(error));
  });
}

function unreachable(cause: unknown): RegistrationProblem {
  const sentence = /certificate|SSL|TLS/i.test(messageOf(cause))
    ? 'the server’s certificate is not accepted'
    : 'the server cannot be reached';
  return new RegistrationProblem(sentence, { cause });
}

function elsewhere(): RegistrationProblem {
  return new RegistrationProblem('the server sends elsewhere, which is not followed');
}
