import { pino, type DestinationStream } from 'pino';

/** What a pipe takes whole, so that lines of several processes do not mix. */
const MOST_AT_ONCE = 4_096;

/**
 * Where the log goes: standard output, as JSON lines, or as text for a person. The lines of one turn of the event loop are written by one call of the system,
 * which costs a short request more than all that the line says; at an exit what is left is written.
 */
export class LogDestination implements DestinationStream {
  private readonly output = pino.destination({ dest: 1, sync: true });
  private lines = '';

  /** @param format makes a line of text of a line of JSON; left out, the lines stay JSON */
  constructor(private readonly format: (line: string) => string = (line) => line) {}

  /** Text on a terminal, for which a library is loaded; JSON lines elsewhere. */
  static async forStandardOutput(): Promise<LogDestination> {
    const { stdout } = process;
    if (!stdout.isTTY) return new LogDestination();
    const { terminalLines } = await import('./terminal-lines.ts');
    return new LogDestination(terminalLines(stdout.hasColors()));
  }

  write(line: string): void {
    const text = this.format(line);
    if (this.lines.length + text.length > MOST_AT_ONCE) this.flush();
    if (this.lines === '') {
      setImmediate(this.flush);
      process.once('exit', this.flush);
    }
    this.lines += text;
  }

  /** Flushes the buffer, so that direct output comes after it. */
  readonly flush = (): void => {
    const { lines } = this;
    process.off('exit', this.flush);
    this.lines = '';
    if (lines !== '') this.output.write(lines);
  };
}
