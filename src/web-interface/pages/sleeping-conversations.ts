/**
 * Runs in the page, before the interface does: what it is told of conversations whose sandbox does not run.
 *
 * While the address of an agent server is unknown, the interface reports on an open page, again and again, that it has
 * no back end, and it asks for files. It has none of that with a paused conversation that has an address, which it
 * waits for. So it sees such a one until the sandbox runs. At that address it asks for costs only, and is answered from
 * the record.
 *
 * While a sandbox is being paused, on the page that paused it, the costs of its conversations come from their records
 * too: the agent server may be gone already, and the page asks a last time before it knows.
 *
 * It wakes each paused sandbox whose conversation it shows, also the one that a person has just stopped, while it leaves
 * the page of it. Such a wish is not passed on.
 */
export const SLEEPING_CONVERSATIONS = `
((ask) => {
  const asleep = '/asleep/api/conversations/';
  const records = new Map();
  const running = new Map();
  const paused = (record) => JSON.stringify({ ...record, execution_status: 'paused' });
  const shown = (record) => {
    if (record?.sandbox_status === 'RUNNING') {
      records.delete(record.conversation_url);
      running.set(record.conversation_url, record);
    }
    const sleeps = record?.conversation_url === null && ['PAUSED', 'STARTING'].includes(record.sandbox_status);
    if (!sleeps) return record;
    records.set(asleep + record.id, paused(record));
    const conversation_url = location.origin + asleep + record.id;
    return { ...record, sandbox_status: 'PAUSED', execution_status: 'paused', conversation_url };
  };
  window.fetch = async (...request) => {
    const { href, pathname } = new URL(request[0].url ?? request[0], location.href);
    const headers = { 'Content-Type': 'application/json' };
    if (/^\\/api\\/v1\\/sandboxes\\/[0-9a-f-]+\\/resume$/.test(pathname)) {
      const page = location.pathname;
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (location.pathname !== page) return new Response('{"success":true}', { headers });
    }
    const [, pausing] = /^\\/api\\/v1\\/sandboxes\\/([0-9a-f-]+)\\/pause$/.exec(pathname) ?? [];
    for (const [address, record] of running)
      if (record.sandbox_id === pausing) records.set(address, paused(record));
    const known = records.get(pathname) ?? records.get(href);
    if (known !== undefined) return new Response(known, { headers });
    const answer = await ask(...request);
    const isRecord = /^\\/api\\/v1\\/app-conversations(\\/[0-9a-f-]{32,36})?$/.test(pathname);
    if (!isRecord || answer.status !== 200) return answer;
    const content = await answer.json();
    return new Response(JSON.stringify(Array.isArray(content) ? content.map(shown) : shown(content)), { headers });
  };
})(window.fetch);
`;
