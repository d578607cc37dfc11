/**
 * Records of conversations, as the service has them and as the interface sees them.
 *
 * The interface gives up a conversation whose sandbox does not run: it takes no messages, asks for it once per page, or
 * never again. So it sees every conversation of its user as running, at the one address that its sandbox has at the door.
 * Those that nothing can run in any more, and those of others, it sees as archived: it shows their history only.
 */
export const RECORDS = String.raw`
const { user } = document.currentScript.dataset;
/** In place of the sandbox's key, which differs while it does not run: the session opens the door. */
const NO_KEY = 'of-the-session';
/** As the service has them, by id. */
const records = new Map();
const reading = new Map();
/** Conversations that this page has started, by the id of their start task. */
const tasks = new Map();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const json = (content) => Response.json(content);
const detailOf = async (answer) => (await answer.json().catch(() => ({}))).detail ?? 'The service does not answer.';
/** The items of a list of the service; empty where it does not answer. */
const itemsOf = async (path) => {
  const answer = await ask(path).catch(() => null);
  return answer?.ok ? (await answer.json().catch(() => ({}))).items ?? [] : [];
};
const isOwn = (record) => record.created_by_user_id === user;
/** Whether it runs, or can. */
const stands = (record) => isOwn(record) && record.sandbox_status !== 'MISSING';
const runs = (record) => record.sandbox_status === 'RUNNING';
const statusOf = ({ sandbox_status, execution_status }) => {
  if (sandbox_status === 'STARTING') return execution_status ?? 'running';
  return sandbox_status !== 'RUNNING' && execution_status === 'running' ? 'paused' : execution_status;
};
const shown = (record) => {
  if (!record) return record;
  records.set(record.id, record);
  if (record.id === idOfPage()) saysWhose(isOwn(record));
  const door = location.origin + '/api/v1/sandboxes/' + record.sandbox_id + '/agent-server';
  return {
    ...record,
    sandbox_status: stands(record) ? 'RUNNING' : 'MISSING',
    execution_status: stands(record) ? statusOf(record) : 'paused',
    conversation_url: door + '/api/conversations/' + record.id,
    session_api_key: NO_KEY,
  };
};
const listed = (record) => (record.sandbox_status === 'ERROR' ? { ...record, sandbox_status: 'PAUSED' } : record);
/** How far the clock of the service is ahead of the browser's, in ms. */
let ahead = 0;
const readNow = async (id) => {
  const answer = await ask('/api/v1/app-conversations?ids=' + id).catch(() => null);
  if (answer?.status !== 200) return null;
  ahead = Date.parse(answer.headers.get('Date')) - Date.now() || 0;
  const [record = null] = await answer.json();
  if (record !== null) records.set(id, record);
  return record;
};
/** The record; all that ask within a moment get the same. */
const read = (id) => {
  if (!reading.has(id)) {
    reading.set(id, readNow(id));
    setTimeout(() => reading.delete(id), 400);
  }
  return reading.get(id);
};
/** Waits for a sandbox that starts, and a while for one that does not. */
const settled = async (id) => {
  const until = Date.now() + 25_000;
  for (;;) {
    const record = await read(id);
    const waits = record?.sandbox_status === 'STARTING' || Date.now() < until;
    if (!waits || (record !== null && (runs(record) || !stands(record)))) return record;
    await sleep(500);
  }
};
/** Restarts a sandbox. @returns why it failed, or null */
const wake = async ({ sandbox_id }) => {
  const answer = await ask('/api/v1/sandboxes/' + sandbox_id + '/resume', { method: 'POST' });
  return answer.ok ? null : detailOf(answer);
};
`;
