import { messageOf, StartError } from '../../../kernel/common';
import { callbackUrl, publicUrl, reachable, type Settings } from '../../../kernel/config';
import { freePort } from '../../../free-port';
import { fail, type Finding, ok, warn } from '../finding';

const WAIT_MS = 5_000;

/** Whether the service can listen, or does, and whether its addresses lead to it. */
export async function checkAddresses(settings: Settings): Promise<Finding[]> {
  const { HOST, PORT } = settings;
  try {
    await freePort(settings);
    return [
      ok(
        'port',
        `Port ${PORT} on ${HOST} is free; the service does not run, so its addresses were not called.`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const problem = await problemAt(`http://${reachable(HOST)}:${PORT}`);
    if (problem !== null) return [fail('port', `Something else is in the way: ${problem}.`, error.message)];
  }
  const [ofPeople, ofSandboxes] = [publicUrl(settings), callbackUrl(settings)];
  return [
    ok('port', `The service runs on port ${PORT} of ${HOST}.`),
    await checkAddress('PUBLIC_URL', ofPeople),
    ...(ofSandboxes === ofPeople ? [] : [await checkAddress('CALLBACK_URL', ofSandboxes)]),
  ];
}

async function checkAddress(name: string, url: string): Promise<Finding> {
  const problem = await problemAt(url);
  return problem === null
    ? ok(name, `${url} leads to the service.`)
    : warn(
        name,
        `${url} does not lead to the service from here: ${problem}.`,
        `Correct ${name}, or the proxy there; it may be right if only others reach that address.`,
      );
}

/** Why an address does not lead to a service of ours, or null. */
async function problemAt(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/alive`, {
      signal: AbortSignal.timeout(WAIT_MS),
      redirect: 'manual',
    });
    const isOurs = response.ok && response.headers.has('x-request-id');
    await response.body?.cancel();
    return isOurs ? null : `what answers there (${response.status}) is not this service`;
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    return messageOf(cause instanceof Error ? cause : error) || 'there is no answer';
  }
}
