import { setImmediate as breathe } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { MEBIBYTE } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { RegistrationProblem } from '../registration/registration-problem';
import { type Content, joinPath, linkProblem, resolvePath } from './content';
import { FRONT_MATTER_BYTES } from './front-matter/front-matter';
import { bounded, type ManifestOffer, type ManifestReading, quoted } from './marketplace-manifest';
import { findSkillFiles, type SkillFile } from './skill-files';
import type { SkillType } from './skill-file';
import { TextReader, UnreadableTextError } from './text-reader';

const MANIFESTS = ['.plugin/marketplace.json', '.claude-plugin/marketplace.json'];
const MANIFEST_BYTES = 1024 * 1024;
const FILES_AT_ONCE = 100;
/** A marketplace with more unreadable texts than this is hostile. */
const MOST_UNREADABLE = 3;

/** Names and triggers of all skills of a marketplace, in characters. */
const MOST_TEXT = 4 * MEBIBYTE;

/** A skill that a marketplace offers. */
interface OfferedSkill {
  readonly name: string;
  readonly type: SkillType;
  readonly triggers: readonly string[];
}

/** The organization that a marketplace is read for, and the deadline. */
export interface ReadingFor {
  readonly orgId: string;
  readonly signal: AbortSignal;
}

/** What a marketplace offers. */
export interface MarketplaceOffer {
  readonly plugins: readonly { readonly name: string; readonly description: string }[];
  readonly skills: readonly OfferedSkill[];
  /** Whether it has a manifest, be it a broken one. */
  readonly hasManifest: boolean;
  /** Sentences about what could not be read. */
  readonly problems: readonly string[];
}

/**
 * Reads what a marketplace offers, by its manifest or else by its skill files
 * (docs/contract.md#marketplace-preview).
 */
@Injectable()
export class MarketplaceReader {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly texts: TextReader,
  ) {}

  /**
   * @param root folder of the marketplace within the content
   * @throws RegistrationProblem when there is no such folder
   */
  async read(content: Content, root: string, reading: ReadingFor): Promise<MarketplaceOffer> {
    const folder = await resolvePath(content, root);
    if (folder.kind !== 'folder')
      throw new RegistrationProblem(
        folder.kind === 'outside' || folder.kind === 'loop'
          ? `the folder ${quoted(root)} ${linkProblem(folder.kind)}`
          : `there is no folder ${quoted(root)}`,
      );
    const manifest = await this.manifest(content, folder.path, reading.orgId);
    if (manifest && 'offer' in manifest) return fromManifest(manifest.offer);
    const problems = manifest ? [`the manifest ${manifest.broken}`] : [];
    const skills = await this.skills(content, folder.path, problems, reading);
    return { plugins: [], skills, hasManifest: manifest !== null, problems: bounded(problems) };
  }

  private async manifest(content: Content, root: string, orgId: string): Promise<ManifestReading | null> {
    for (const name of MANIFESTS) {
      const found = await resolvePath(content, joinPath(root, name));
      if (found.kind === 'absent' || found.kind === 'folder') continue;
      if (found.kind !== 'file') return { broken: linkProblem(found.kind) };
      const file = (await content.read([found.path], MANIFEST_BYTES)).get(found.path);
      if (!file) return { broken: 'could not be read' };
      if (file.size > MANIFEST_BYTES) return { broken: 'is larger than 1 MiB' };
      try {
        return await this.texts.manifest(orgId, file.head);
      } catch (error) {
        if (error instanceof UnreadableTextError) return { broken: error.message };
        throw error;
      }
    }
    return null;
  }

  private async skills(
    content: Content,
    root: string,
    problems: string[],
    { orgId, signal }: ReadingFor,
  ): Promise<OfferedSkill[]> {
    const files = await findSkillFiles(content, root, this.settings.MARKETPLACE_MAX_FILES, problems);
    await content.prefetch(files.map(({ path }) => path));
    const skills: OfferedSkill[] = [];
    let unreadable = 0;
    let text = 0;
    for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
      const some = files.slice(start, start + FILES_AT_ONCE);
      const before = skills.length;
      const heads = await content.read(
        some.map(({ path }) => path),
        FRONT_MATTER_BYTES,
      );
      for (const file of some) {
        signal.throwIfAborted();
        const head = heads.get(file.path);
        if (!head) problems.push(`${quoted(file.shown)} could not be read`);
        else if (!(await this.skill(orgId, file, head, skills, problems))) unreadable += 1;
        if (unreadable >= MOST_UNREADABLE)
          throw new RegistrationProblem('its skill files take too long to read');
      }
      for (const { name, triggers } of skills.slice(before)) text += name.length + triggers.join('').length;
      if (text > MOST_TEXT) {
        problems.push('the names and triggers of its skills take more than 4 MiB; the others are left out');
        break;
      }
      await breathe();
    }
    return skills;
  }

  private async skill(
    orgId: string,
    file: SkillFile,
    { head, size }: { readonly head: Buffer; readonly size: number },
    skills: OfferedSkill[],
    problems: string[],
  ): Promise<boolean> {
    try {
      const reading = await this.texts.skill(orgId, head, head.length === size, file);
      problems.push(...reading.problems.map((problem) => `${quoted(file.shown)} ${problem}`));
      if (reading.skill) skills.push(reading.skill);
      return true;
    } catch (error) {
      if (!(error instanceof UnreadableTextError)) throw error;
      problems.push(`${quoted(file.shown)} ${error.message}`);
      return false;
    }
  }
}

function fromManifest({ plugins, skills, problems }: ManifestOffer): MarketplaceOffer {
  return {
    plugins,
    skills: skills.map(({ name }) => ({ name, type: 'knowledge', triggers: [] })),
    hasManifest: true,
    problems,
  };
}
