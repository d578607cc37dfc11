import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { StartError } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { type Engine, EngineAwayError } from './engine';

const rememberedSchema = z.object({ address: z.string(), id: z.string() });

/** Which engine this is, also while it is away: it is remembered in `DATA_DIR`. */
export class EngineIdentity {
  private readonly log = new Logger('Sandboxes');

  constructor(
    private readonly settings: Pick<Settings, 'DATA_DIR'>,
    private readonly engine: Engine,
  ) {}

  /** @throws StartError when it is away and was never there at this address */
  async id(): Promise<string> {
    const { address } = this.engine;
    try {
      const { id } = await this.engine.info();
      await mkdir(dirname(this.file), { recursive: true });
      await writeFile(this.file, JSON.stringify({ address, id }), { mode: 0o600 });
      return id;
    } catch (cause) {
      if (!(cause instanceof EngineAwayError)) throw cause;
      const remembered = await this.remembered();
      if (remembered?.address !== address) throw new StartError(cause.message, { cause });
      this.log.warn(cause.message);
      return remembered.id;
    }
  }

  private async remembered(): Promise<z.infer<typeof rememberedSchema> | null> {
    try {
      return rememberedSchema.parse(JSON.parse(await readFile(this.file, 'utf8')));
    } catch {
      // There is none, or a crash cut it.
      return null;
    }
  }

  private get file(): string {
    return join(resolve(this.settings.DATA_DIR), 'sandboxes', 'engine.json');
  }
}
