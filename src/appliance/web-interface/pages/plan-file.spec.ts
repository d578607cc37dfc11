import { runInNewContext } from 'node:vm';
import { PLAN_FILE } from './page-setup';

const ORIGIN = 'https://agents.test';
const CONVERSATION = '/api/v1/app-conversations/3c9b0d4e-8f0f-4c9a-9f1e-3a7c0f1f4b21';
const FILE = `${CONVERSATION}/file?file_path=`;

describe('the script that finds a plan', () => {
  let asked: string[];
  let files: string[];
  const get = async (path: string): Promise<string | number> => {
    const window = {
      fetch: (url: string): Promise<Response> => {
        asked.push(url.replace(ORIGIN, ''));
        return Promise.resolve(url.includes('/files?') ? Response.json(files) : new Response('The plan'));
      },
    };
    runInNewContext(PLAN_FILE, { window, location: { origin: ORIGIN, href: ORIGIN }, URL, Response });
    const response = await window.fetch(`${ORIGIN}${path}`);
    return response.ok ? response.text() : response.status;
  };
  beforeEach(() => {
    asked = [];
    files = ['shop/README.md', 'shop/.agents_tmp/PLAN.md'];
  });

  const PLAN = `${FILE}%2Fworkspace%2Fproject%2F.agents_tmp%2FPLAN.md`;

  it('asks for it where it is', async () => {
    expect(await get(PLAN)).toBe('The plan');
    expect(asked.at(-1)).toBe(`${FILE}%2Fworkspace%2Fproject%2Fshop%2F.agents_tmp%2FPLAN.md`);
  });

  it('does not ask for one that is not there', async () => {
    files = ['shop/README.md'];
    expect(await get(PLAN)).toBe(404);
    expect(asked).toEqual([`${CONVERSATION}/files?path=/workspace/project`]);
  });

  it('leaves other files alone', async () => {
    expect(await get(`${FILE}shop/README.md`)).toBe('The plan');
    expect(asked).toEqual([`${FILE}shop/README.md`]);
  });
});
