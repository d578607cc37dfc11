import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { publicPath, type Settings } from '../../kernel/config';
import { StaticFiles } from '../../kernel/http';
import { CONSOLE_PATH } from './built-console';
import type { ConsolePagesByName } from './extension-pages';
import { ConsoleMiddleware, ConsolePage } from './console.middleware';

/** The pages of an organization at `/console` (docs/console.md): a client of documented operations, and nothing else. */
@Module({})
export class ConsoleModule implements NestModule {
  /** @param folder of the built console @param pages of extensions */
  static forRoot(settings: Settings, folder: string, pages: ConsolePagesByName): DynamicModule {
    const base = publicPath(settings);
    return {
      module: ConsoleModule,
      providers: [
        { provide: StaticFiles, useFactory: () => StaticFiles.below(join(folder, 'files')) },
        {
          provide: ConsolePage,
          useFactory: async () =>
            ConsolePage.of(await readFile(join(folder, 'index.html'), 'utf8'), base, pages),
        },
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(ConsoleMiddleware).forRoutes(CONSOLE_PATH, `${CONSOLE_PATH}/{*path}`);
  }
}
