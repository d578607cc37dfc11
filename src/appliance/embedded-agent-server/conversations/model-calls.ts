import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Agent, fetch } from 'undici';
import { asIpAddress, isPublicAddress } from '../../../kernel/common';

/** A call to a model, as it goes out. */
interface ModelCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

const NOT_PUBLIC =
  'its address is not public, and whoever runs this service has not allowed it (LLM_ALLOWED_HOSTS)';

/** Connects to public addresses of other machines only, whatever a name server says. */
const elsewhere = new Agent({ connect: { lookup: lookupElsewhere() } });

/**
 * Calls a model by POST. An address that a caller chose must not lead to this machine or its network
 * (docs/sandboxes.md#isolation); what the operator names may.
 * @throws Error when there is no answer
 */
export async function callModel(
  { url, isAllowed }: { readonly url: string; readonly isAllowed: boolean },
  { headers, body, signal }: ModelCall,
): Promise<{ status: number; text: string }> {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  // An address in numbers is not looked up.
  const literal = asIpAddress(host);
  if (!isAllowed && literal !== null && !isElsewhere(literal)) throw new Error(NOT_PUBLIC);
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal,
    redirect: 'error',
    ...(isAllowed ? {} : { dispatcher: elsewhere }),
  });
  return { status: response.status, text: await response.text() };
}

function lookupElsewhere(): LookupFunction {
  return (name, _options, callback) => {
    lookup(name, { all: true }, (error, found) => {
      if (error !== null) callback(error, '');
      else if (found.every(({ address }) => isElsewhere(address))) callback(null, found);
      else callback(new Error(NOT_PUBLIC), '');
    });
  };
}

/** Whether an address is public and none of this machine's own. */
function isElsewhere(address: string): boolean {
  if (isIP(address) === 0 || !isPublicAddress(address)) return false;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.every((one) => asIpAddress(one.address) !== asIpAddress(address));
}
