/**
 * Runs in the page, before the interface does: finds a plan wherever it is below the conversation's folder.
 * The interface asks for it at one place only, and on each visit of its page for plans, also where nobody has planned
 * anything: a file that is known not to be there is not asked for.
 */
export const PLAN_FILE = `
((ask) => {
  const isPlan = (path) => ('/' + path).endsWith('/.agents_tmp/PLAN.md');
  window.fetch = async (...request) => {
    const { pathname, searchParams } = new URL(request[0].url ?? request[0], location.href);
    const [, conversation] = /^(\\/api\\/v1\\/app-conversations\\/[0-9a-f-]+)\\/file$/.exec(pathname) ?? [];
    if (conversation === undefined || !isPlan(searchParams.get('file_path'))) return ask(...request);
    const folder = '/workspace/project';
    const files = await ask(location.origin + conversation + '/files?path=' + folder, request[1]);
    if (!files.ok) return files;
    const plan = (await files.json()).find(isPlan);
    if (plan === undefined) return new Response('', { status: 404 });
    return ask(location.origin + conversation + '/file?file_path=' + encodeURIComponent(folder + '/' + plan), request[1]);
  };
})(window.fetch);
`;
