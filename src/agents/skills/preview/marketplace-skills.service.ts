import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings, organizationShare } from '../../../kernel/config';
import type { MarketplaceOffer } from '../manifest/marketplace-reader';
import { MarketplacePreview } from './marketplace-preview';
import type { MarketplaceRegistration } from '../registration/marketplace-registration.dto';
import type { MarketplaceSkillsPreviewResponse } from './marketplace-skills.dto';
import { RegistrationProblem } from '../registration/registration-problem';
import { KeyedSemaphore, AppError } from '../../../kernel/common';

/**
 * 429: as many previews run as may run at once, for this organization or in all
 * (docs/contract.md#marketplace-preview).
 */
export class TooManyPreviewsError extends AppError {
  constructor(retryAfterSeconds: number) {
    super(
      429,
      'too_many_previews',
      'Too many marketplace previews are running; try again when some of them are done.',
      { 'Retry-After': String(retryAfterSeconds) },
    );
  }
}

/** Marketplaces of one preview. */
export const MAX_REGISTRATIONS = 20;

const AT_ONCE = 40;
const RETRY_AFTER_SECONDS = 5;

/** Limits how many preview calls run at once, and waits for them at shutdown. */
class PreviewLimiter {
  private readonly running = new Set<Promise<unknown>>();
  private readonly shares: KeyedSemaphore<'organization' | 'replica'>;

  constructor(settings: Settings) {
    this.shares = new KeyedSemaphore(
      { organization: organizationShare(AT_ONCE, settings), replica: AT_ONCE },
      () => new TooManyPreviewsError(RETRY_AFTER_SECONDS),
    );
  }

  /** @throws TooManyPreviewsError */
  async run<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    const call = this.shares.during({ organization: orgId, replica: '' }, work);
    this.running.add(call);
    try {
      return await call;
    } finally {
      this.running.delete(call);
    }
  }

  /** Waits for all running calls. */
  async allDone(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}

interface Outcome {
  readonly registration: MarketplaceRegistration;
  /** Null when the marketplace could not be fetched. */
  readonly offer: MarketplaceOffer | null;
  readonly problems: readonly string[];
}

/** Answers what a list of registrations offers (docs/contract.md#marketplace-preview). */
@Injectable()
export class MarketplaceSkillsService implements OnModuleDestroy {
  private readonly logger = new Logger('Marketplaces');
  private readonly stopping = new AbortController();
  private readonly calls: PreviewLimiter;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly previews: MarketplacePreview,
  ) {
    this.calls = new PreviewLimiter(settings);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new RegistrationProblem('the service is stopping'));
    await this.calls.allDone();
  }

  /**
   * Fetches all registrations, several at once; one that fails does not stop the others.
   * @param clientAbort aborts everything when the client disconnects
   * @throws TooManyPreviewsError
   */
  preview(
    orgId: string,
    registrations: readonly MarketplaceRegistration[],
    clientAbort: AbortSignal,
  ): Promise<MarketplaceSkillsPreviewResponse> {
    return this.calls.run(orgId, async () => {
      const seconds = this.settings.MARKETPLACE_CALL_SECONDS;
      const limit = new AbortController();
      const timer = setTimeout(
        () => limit.abort(new RegistrationProblem(`the call took longer than ${seconds} s`)),
        seconds * 1000,
      );
      const signal = AbortSignal.any([clientAbort, limit.signal, this.stopping.signal]);
      // Each registration adds a listener to it.
      setMaxListeners(0, signal);
      const names = new Set<string>();
      try {
        return responseOf(
          await Promise.all(
            registrations.map(async (registration) => {
              if (names.has(registration.name))
                return failed(registration, 'this name is in the list already');
              names.add(registration.name);
              return this.one(registration, orgId, signal);
            }),
          ),
        );
      } finally {
        clearTimeout(timer);
      }
    });
  }

  private async one(
    registration: MarketplaceRegistration,
    orgId: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const offer = await this.previews.of(registration, orgId, signal);
      return { registration, offer, problems: offer.problems };
    } catch (error) {
      if (error instanceof RegistrationProblem) {
        this.logger.debug({ err: error }, `Marketplace ${registration.name} could not be previewed`);
        return failed(registration, error.message);
      }
      if (!signal.aborted)
        this.logger.error({ err: error }, `Marketplace ${registration.name} could not be previewed`);
      return failed(registration, 'it could not be previewed');
    }
  }
}

function failed(registration: MarketplaceRegistration, problem: string): Outcome {
  return { registration, offer: null, problems: [problem] };
}

function responseOf(outcomes: readonly Outcome[]): MarketplaceSkillsPreviewResponse {
  const fetched = outcomes.flatMap(({ registration, offer }) => (offer ? [{ registration, offer }] : []));
  return {
    skills: fetched.flatMap(({ registration, offer }) =>
      offer.skills.map(({ name, type, triggers }) => ({
        name,
        type,
        source: `marketplace:${registration.name}`,
        triggers: [...triggers],
      })),
    ),
    plugins: fetched.flatMap(({ registration, offer }) =>
      offer.plugins.map(({ name, description }) => ({
        name,
        source: registration.source,
        marketplace: registration.name,
        description,
      })),
    ),
    marketplace_skills: Object.fromEntries(
      fetched.map(({ registration, offer }) => [registration.name, offer.skills.map(({ name }) => name)]),
    ),
    errors: outcomes.flatMap(({ registration, problems }) =>
      problems.map((problem) => `${registration.name}: ${problem}`),
    ),
  };
}
