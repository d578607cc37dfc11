import { commandProblem } from './command-problem';

/** Runs only where its environment has nothing but what it names. */
const SCRIPT = `test -n "$PATH" && test "$OWN" = mine && test "\${SECRET_KEY+set}\${DATABASE_URL+set}" = ""`;

describe('the program of agent servers', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('is asked for help without the secrets of the service', async () => {
    process.env.SECRET_KEY = process.env.DATABASE_URL = 'private';
    expect(await commandProblem(['sh', '-c', SCRIPT], 'AGENT_SERVER_COMMAND', { OWN: 'mine' })).toBeNull();
  });

  it('is a problem that names the setting when it does not run', async () => {
    expect(await commandProblem(['sh', '-c', 'exit 1'], 'AGENT_SERVER_COMMAND', {})).toMatchObject({
      isFatal: true,
      change: expect.stringContaining('AGENT_SERVER_COMMAND') as string,
    });
  });
});
