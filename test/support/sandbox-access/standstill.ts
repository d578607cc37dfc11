/** Requests that a service answers while nothing moves. */
const REQUESTS = 25;

/**
 * Waits until a count stays as it is, while the service has the time to answer other requests.
 * @param url of the service
 * @param most of the count: beyond it nobody waits for a standstill
 * @returns where it stands
 */
export async function standstill(url: string, count: () => number, most = Infinity): Promise<number> {
  let last = 0;
  for (let answered = 0; answered < REQUESTS && last <= most;) {
    await (await fetch(`${url}/alive`)).text();
    const now = count();
    answered = now > 0 && now === last ? answered + 1 : 0;
    last = now;
  }
  return last;
}
