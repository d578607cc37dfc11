import { Inject, Injectable } from '@nestjs/common';
import { AllowedHosts } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { CloneSlots } from '../fetch/repository-files';
import { FetchService } from '../fetch/fetch.service';
import { FolderContent } from '../manifest/folder-content';
import { GitContent } from '../manifest/git-content';
import { type MarketplaceOffer, MarketplaceReader, type ReadingFor } from '../manifest/marketplace-reader';
import type { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
import { RegistrationProblem } from '../registration/registration-problem';
import { parseSource } from '../registration/agent-server-registrations';
import { quoted } from '../manifest/marketplace-manifest';

/** Previews the marketplace of one registration. */
@Injectable()
export class MarketplacePreview {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly allowedHosts: AllowedHosts,
    private readonly slots: CloneSlots,
    private readonly fetching: FetchService,
    private readonly reader: MarketplaceReader,
  ) {}

  /**
   * Fetches it and reads its manifest or its skill files.
   * @param orgId the organization whose credentials may be used
   * @throws RegistrationProblem, or the signal's reason
   */
  async of(
    registration: MarketplaceRegistration,
    orgId: string,
    signal: AbortSignal,
  ): Promise<MarketplaceOffer> {
    const source = parseSource(registration.source, this.allowedHosts);
    if (source.kind === 'local') return this.ofFolder(registration, source.path, { orgId, signal });
    const { ref, repo_path: path } = registration;
    return this.slots.run(orgId, signal, () =>
      this.withinTime(signal, (inTime) =>
        this.fetching.withRepository(
          { url: source.url, ref, orgId, userId: null },
          inTime,
          async (repository, limits) => {
            const content = await GitContent.open(repository);
            return withoutManifest(
              path,
              await this.reader.read(content, path ?? '', { orgId, signal: limits }),
            );
          },
        ),
      ),
    );
  }

  private async ofFolder(
    { ref, repo_path: repoPath }: MarketplaceRegistration,
    path: string,
    { orgId, signal }: ReadingFor,
  ): Promise<MarketplaceOffer> {
    const { GIT_LOCAL_ROOT: root } = this.settings;
    if (root === undefined) throw new RegistrationProblem('local paths are not enabled on this service');
    if (ref !== null) throw new RegistrationProblem('ref is for git sources only');
    if (repoPath !== null) throw new RegistrationProblem('repo_path is for git sources only');
    return this.withinTime(signal, async (inTime) =>
      this.reader.read(await FolderContent.open(root, inTime), path, { orgId, signal: inTime }),
    );
  }

  private async withinTime<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const seconds = this.settings.MARKETPLACE_FETCH_SECONDS;
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new RegistrationProblem(`it took longer than ${seconds} s`)),
      seconds * 1000,
    );
    try {
      return await work(AbortSignal.any([signal, limit.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whoever names a folder expects the marketplace there: that it has no manifest is a problem, whatever else it has. */
function withoutManifest(folder: string | null, offer: MarketplaceOffer): MarketplaceOffer {
  if (folder === null || offer.hasManifest) return offer;
  return { ...offer, problems: [`there is no manifest in the folder ${quoted(folder)}`, ...offer.problems] };
}
