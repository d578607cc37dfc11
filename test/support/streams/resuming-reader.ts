import { StreamReader, type StreamedEvent } from './stream-reader';

/** Reads a stream as a browser does: where it ends, it is opened again behind the last event. */
export class ResumingReader {
  /** How often the stream was opened again. */
  resumed = 0;
  /** Statuses of responses that were no stream. */
  readonly refusals: number[] = [];
  private readonly earlier: StreamedEvent[] = [];
  private reader: StreamReader | undefined;
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    this.running = this.run();
  }

  /** The messages so far, in order. */
  get messages(): readonly StreamedEvent[] {
    return [...this.earlier, ...(this.reader?.of('message') ?? [])];
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.reader?.close();
    await this.running;
  }

  private async run(): Promise<void> {
    for (let position = '0'; !this.isStopped; this.resumed += 1) {
      const reader = await StreamReader.open(this.url, {
        key: this.key,
        headers: { 'Last-Event-ID': position },
      });
      if (reader.status !== 200) this.refusals.push(reader.status);
      this.reader = reader;
      await reader.ended;
      this.reader = undefined;
      this.earlier.push(...reader.of('message'));
      position = reader.lastId ?? position;
    }
  }
}
