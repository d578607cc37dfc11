import { spawn } from 'node:child_process';
import { environmentOfNode } from '../compiled/compiled-sources';
import { eventually } from '../eventually';

/**
 * Pastes commands into a shell of another terminal, which knows nothing of the service.
 * @param enough ends the last one, as Ctrl-C does, once its output has this
 * @returns what they print
 */
export async function pasteInto(folder: string, commands: string, enough?: string): Promise<string> {
  const shell = spawn('bash', ['--norc', '-ec', commands], {
    cwd: folder,
    env: { ...environmentOfNode(), HOME: folder },
    detached: true,
  });
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()));
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  if (enough !== undefined)
    try {
      await eventually(() => {
        if (!output.includes(enough)) throw new Error(output);
      });
    } finally {
      if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGINT');
    }
  await ended;
  return output;
}
