import { pino, type DestinationStream } from 'pino';

/**
 * Where the log goes: standard output. The lines of one turn of the event loop are written by one call of the system,
 * which costs a short request more than all that the line says; at an exit what is left is written.
 */
export class LogDestination implements DestinationStream {
  private readonly output = pino.destination({ dest: 1, sync: true });
  private lines = '';

  write(line: string): void {
    if (this.lines === '') {
      setImmediate(this.flush);
      process.once('exit', this.flush);
    }
    this.lines += line;
  }

  private readonly flush = (): void => {
    const { lines } = this;
    process.off('exit', this.flush);
    this.lines = '';
    if (lines !== '') this.output.write(lines);
  };
}
