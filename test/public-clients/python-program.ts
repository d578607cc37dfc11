import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import type { PythonEnvironment } from '../../scripts/python-environment';

const stepSchema = z.object({
  step: z.string(),
  requests: z.array(z.tuple([z.string(), z.string(), z.number()])),
  result: z.unknown().optional(),
  error: z.string().optional(),
});

/** What a step of a program did: requests as method, address and status, and its result or exception. */
export type ProgramStep = Readonly<z.infer<typeof stepSchema>>;

/** Everything that a program printed, and its steps in order. */
export interface ProgramRun {
  readonly steps: readonly ProgramStep[];
  readonly output: string;
}

/** Runs a program of this folder, which prints its steps as lines of JSON, to its end. */
export async function runProgram(
  python: PythonEnvironment,
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<ProgramRun> {
  const child = spawn(python.command, [join(__dirname, name)], {
    env: {
      PATH: process.env.PATH,
      HOME: python.directory,
      PYTHONDONTWRITEBYTECODE: '1',
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      OPENHANDS_SUPPRESS_BANNER: '1',
      DO_NOT_TRACK: '1',
      ...python.variables,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  const output = [...out, ...err].join('');
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${output}`);
  const lines = out.join('').split('\n');
  const steps = lines
    .filter((line) => line.startsWith('{"step":'))
    .map((line) => stepSchema.parse(JSON.parse(line)));
  return { steps, output };
}
