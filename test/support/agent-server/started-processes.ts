import { readdir, readFile } from 'node:fs/promises';

/** A process as `/proc` has it. */
export interface StartedProcess {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  /** How many namespaces for processes it is in, the outermost included. */
  readonly depth: number;
  readonly status: string;
  /** With which it was started, or what it comes of. */
  readonly environment: string;
}

/** All that a service on a port of this host has started in sandboxes and for them. */
export async function startedBy(port: number): Promise<StartedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(
    pids.map(async (pid) => {
      const [status, environment] = await Promise.all([readOf(pid, 'status'), readOf(pid, 'environ')]);
      const depth = fieldOf(status, 'NSpid').split('\t').length;
      const [name, parent] = [fieldOf(status, 'Name'), Number(fieldOf(status, 'PPid'))];
      return { pid, name, parent, depth, status, environment };
    }),
  );
  return all.filter(({ environment }) => environment.includes(`=http://127.0.0.1:${port}/api/v1/webhooks`));
}

/** Those of them that wait for a fork, or for the end of one. */
export function waitingOf(processes: readonly StartedProcess[]): StartedProcess[] {
  return processes.filter(({ name }) => name === 'agent-waits');
}

/** The one of them that is forked; undefined without one. */
export function forkServerOf(processes: readonly StartedProcess[]): StartedProcess | undefined {
  return processes.find(({ depth, name }) => depth === 1 && name.startsWith('python'));
}

/** A file of a process; empty when it has ended. */
export function readOf(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}

/** A field of a process's status. */
export function fieldOf(status: string, name: string): string {
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '';
}
