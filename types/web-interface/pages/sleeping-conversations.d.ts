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
export declare const SLEEPING_CONVERSATIONS = "\n((ask) => {\n  const asleep = '/asleep/api/conversations/';\n  const records = new Map();\n  const running = new Map();\n  const paused = (record) => JSON.stringify({ ...record, execution_status: 'paused' });\n  const shown = (record) => {\n    if (record?.sandbox_status === 'RUNNING') {\n      records.delete(record.conversation_url);\n      running.set(record.conversation_url, record);\n    }\n    const sleeps = record?.conversation_url === null && ['PAUSED', 'STARTING'].includes(record.sandbox_status);\n    if (!sleeps) return record;\n    records.set(asleep + record.id, paused(record));\n    const conversation_url = location.origin + asleep + record.id;\n    return { ...record, sandbox_status: 'PAUSED', execution_status: 'paused', conversation_url };\n  };\n  window.fetch = async (...request) => {\n    const { href, pathname } = new URL(request[0].url ?? request[0], location.href);\n    const headers = { 'Content-Type': 'application/json' };\n    if (/^\\/api\\/v1\\/sandboxes\\/[0-9a-f-]+\\/resume$/.test(pathname)) {\n      const page = location.pathname;\n      await new Promise((resolve) => setTimeout(resolve, 500));\n      if (location.pathname !== page) return new Response('{\"success\":true}', { headers });\n    }\n    const [, pausing] = /^\\/api\\/v1\\/sandboxes\\/([0-9a-f-]+)\\/pause$/.exec(pathname) ?? [];\n    for (const [address, record] of running)\n      if (record.sandbox_id === pausing) records.set(address, paused(record));\n    const known = records.get(pathname) ?? records.get(href);\n    if (known !== undefined) return new Response(known, { headers });\n    const answer = await ask(...request);\n    const isRecord = /^\\/api\\/v1\\/app-conversations(\\/[0-9a-f-]{32,36})?$/.test(pathname);\n    if (!isRecord || answer.status !== 200) return answer;\n    const content = await answer.json();\n    return new Response(JSON.stringify(Array.isArray(content) ? content.map(shown) : shown(content)), { headers });\n  };\n})(window.fetch);\n";
