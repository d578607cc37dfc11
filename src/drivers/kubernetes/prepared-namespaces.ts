import type { Settings } from '../../kernel/config';
import type { ClusterApi } from './cluster/cluster-api';
import { networkPolicy, type ServicePods } from './objects/network-policies';
import { organizationNamespace, organizationQuota } from './objects/organization-namespace';
import { namespacePath, pathOf } from './objects/paths';

/** Made again after that, before the next sandbox: somebody may have deleted it. */
const GOOD_FOR_MS = 60_000;

/**
 * Prepares namespaces for sandboxes, in every process, so that changed settings arrive there too; each at most once a minute.
 */
export class PreparedNamespaces {
  private readonly prepared = new Map<string, Promise<void>>();

  /** @param service where the service's own pods are; null where it does not run in the cluster */
  constructor(
    private readonly settings: Settings,
    private readonly api: ClusterApi,
    private readonly service: ServicePods | null,
  ) {}

  /** @param orgId the organization that alone has its sandboxes there; null for a namespace that others made */
  prepare(namespace: string, orgId: string | null): Promise<void> {
    const known = this.prepared.get(namespace);
    if (known !== undefined) return known;
    const preparing = this.make(namespace, orgId).catch((error: unknown) => {
      this.prepared.delete(namespace);
      throw error;
    });
    this.prepared.set(namespace, preparing);
    setTimeout(() => this.prepared.delete(namespace), GOOD_FOR_MS).unref();
    return preparing;
  }

  /** The prepared objects were deleted by hand: the next sandbox recreates them. */
  forget(namespace: string): void {
    this.prepared.delete(namespace);
  }

  private async make(namespace: string, orgId: string | null): Promise<void> {
    if (orgId !== null) await this.makeNamespace(namespace, orgId);
    const policy = networkPolicy(namespace, this.settings, this.service);
    await this.api.apply(pathOf('networkpolicies', namespace, 'sandboxes'), policy);
  }

  private async makeNamespace(namespace: string, orgId: string): Promise<void> {
    await this.api.apply(namespacePath(namespace), organizationNamespace(namespace, orgId));
    const hard = this.settings.KUBERNETES_ORGANIZATION_QUOTA;
    if (Object.keys(hard).length > 0)
      await this.api.apply(
        pathOf('resourcequotas', namespace, 'sandboxes'),
        organizationQuota(namespace, hard),
      );
  }
}
