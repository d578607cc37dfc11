import { Module } from '@nestjs/common';
import { GitCredentialsModule, GitCredentialsRepository } from '../../../src/agents/git-credentials';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { Actors } from '../../../src/kernel/auth';
import { ConfigModule, readSettings } from '../../../src/kernel/config';
import { type MarketplaceRegistration, SkillsModule } from '../../../src/agents/skills';
import type { MarketplaceSkillsPreviewResponse } from '../../../src/agents/skills/preview/marketplace-skills.dto';
import { MarketplaceSkillsService } from '../../../src/agents/skills/preview/marketplace-skills.service';
import type { RepositoryFiles } from './git-repository';

export const ORG = '11111111-2222-4333-8444-555555555555';

/** Stands for credentials that people keep and for who they are, which need a database. */
@Module({
  providers: [
    { provide: GitCredentialsRepository, useValue: { opened: () => Promise.resolve([]) } },
    { provide: Actors, useValue: {} },
  ],
  exports: [GitCredentialsRepository, Actors],
})
class NobodysCredentials {}

/** The preview without HTTP and database. */
export class TestPreview {
  private constructor(
    private readonly module: TestingModule,
    readonly dataDir: string,
  ) {}

  /** @param env settings that differ from the defaults */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<TestPreview> {
    const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'marketplaces-')));
    const settings = readSettings({ ...env, DATA_DIR: dataDir });
    const module = await Test.createTestingModule({
      imports: [ConfigModule.forRoot(settings, 'test'), SkillsModule],
    })
      .overrideModule(GitCredentialsModule)
      .useModule(NobodysCredentials)
      .compile();
    await module.init();
    return new TestPreview(module, dataDir);
  }

  /** Previews registrations; omitted fields have the defaults of the API. */
  preview(
    registrations: readonly (Partial<MarketplaceRegistration> & { source: string })[],
    options: { readonly orgId?: string; readonly clientAbort?: AbortSignal } = {},
  ): Promise<MarketplaceSkillsPreviewResponse> {
    return this.module.get(MarketplaceSkillsService).preview(
      options.orgId ?? ORG,
      registrations.map((registration) => ({
        name: 'team',
        ref: null,
        repo_path: null,
        auto_load: false,
        scope: null,
        ...registration,
      })),
      options.clientAbort ?? new AbortController().signal,
    );
  }

  /** The content of the folders for fetched repositories. */
  async leftovers(): Promise<string[]> {
    const root = join(this.dataDir, 'marketplaces');
    const own = await readdir(root).catch(() => []);
    return (await Promise.all(own.map((name) => readdir(join(root, name))))).flat();
  }

  async close(): Promise<void> {
    await this.module.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A manifest as marketplaces write it. */
export function manifest(plugins: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ name: 'market', owner: { name: 'Owner' }, plugins, ...more }, null, 2);
}

/** A marketplace of typical size: dozens of plugins, each with several skills. */
export function largeMarketplace(plugins = 60, skillsOfEach = 11): RepositoryFiles {
  const files: Record<string, string> = {};
  const listed: unknown[] = [];
  for (let plugin = 0; plugin < plugins; plugin += 1) {
    const folder = `plugins/plugin-${plugin}`;
    listed.push({ name: `plugin-${plugin}`, source: `./${folder}`, description: `Does thing ${plugin}.` });
    for (let skill = 0; skill < skillsOfEach; skill += 1) {
      const text = Array.from(
        { length: 600 },
        (_, word) => `word${(word * (skill + 7) * (plugin + 3)) % 9973}`,
      );
      files[`${folder}/skills/skill-${skill}/SKILL.md`] =
        `---\nname: skill-${skill}\ndescription: Skill ${skill}.\n---\n${text.join(' ')}\n`;
    }
  }
  for (let index = 0; Object.keys(files).length < 699; index += 1)
    files[`docs/page-${index}.txt`] = `Page ${index}\n`;
  files['.claude-plugin/marketplace.json'] = manifest(listed);
  return files;
}
