import type { Pod, SandboxClaim, SandboxObject } from './cluster-objects';
import { SANDBOX_ID } from '../objects/labels';

interface Versioned {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
}

/** One of these. */
interface OneObject {
  readonly sandbox?: SandboxObject;
  readonly pod?: Pod;
  readonly claim?: SandboxClaim;
}

/** The state of sandboxes from the watches, by id, so that questions are answered from memory. */
export class SandboxObjects {
  private readonly sandboxes = new Kept<SandboxObject>();
  private readonly pods = new Kept<Pod>();
  private readonly claims = new Kept<SandboxClaim>();
  private readonly waiting = new Set<() => void>();

  /** @param listener is called with the id of a sandbox of which something changed */
  constructor(private readonly listener: (sandboxId: string) => void = () => undefined) {}

  /** @param namespace where it is; where it is not known, the first of all that say that they are this one */
  sandbox(id: string, namespace?: string): SandboxObject | undefined {
    return this.sandboxes.of(id).find(isIn(namespace));
  }

  claim(id: string): SandboxClaim | undefined {
    return this.claims.of(id)[0];
  }

  /**
   * A pod that ends and the one that takes its place are both there for a moment. Those of another sandbox do not count that
   * was pre-warmed, claimed for this one, and given up.
   */
  podsOf(id: string, namespace?: string): readonly Pod[] {
    const uid = this.sandbox(id, namespace)?.uid;
    const pods = this.pods.of(id).filter(isIn(namespace));
    return uid === undefined ? pods : pods.filter(({ owner }) => owner?.uid === uid);
  }

  /** The ids of those sandboxes, claimed ones among them, for whose labels a question is answered with yes. */
  idsOf(question: (labels: Labelled['labels']) => boolean): string[] {
    const all = [...this.sandboxes.all(), ...this.claims.all()].filter(({ labels }) => question(labels));
    return [...new Set(all.map(idOf))];
  }

  /** Pods that belong to no sandbox of the service yet: those of the warm pool. */
  unclaimedPods(): readonly Pod[] {
    return this.pods.of('');
  }

  /** Applies the state of an object from a watch or a response; a state older than the known one is ignored. */
  put({ sandbox, pod, claim }: OneObject): void {
    if (sandbox !== undefined) this.sandboxes.put(sandbox);
    if (pod !== undefined) this.pods.put(pod);
    if (claim !== undefined) this.claims.put(claim);
    this.changed(sandbox ?? pod ?? claim);
  }

  /** An object is gone. */
  remove({ sandbox, pod, claim }: OneObject): void {
    if (sandbox !== undefined) this.sandboxes.remove(sandbox);
    if (pod !== undefined) this.pods.remove(pod);
    if (claim !== undefined) this.claims.remove(claim);
    this.changed(sandbox ?? pod ?? claim);
  }

  /** These, and no others, are there. */
  replace(
    objects:
      | { sandboxes: readonly SandboxObject[] }
      | { pods: readonly Pod[] }
      | { claims: readonly SandboxClaim[] },
  ): void {
    const changed =
      'sandboxes' in objects
        ? this.sandboxes.replace(objects.sandboxes)
        : 'pods' in objects
          ? this.pods.replace(objects.pods)
          : this.claims.replace(objects.claims);
    for (const id of changed) this.notify(id);
  }

  /**
   * Waits for something to become true of the objects.
   * @returns what the question answered, or null when that was nothing until the time was over
   */
  when<Result>(question: () => Result | null, withinMs: number): Promise<Result | null> {
    const now = question();
    if (now !== null) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const settle = (ask: () => Result | null, isLast: boolean): void => {
        try {
          const answer = ask();
          if (answer === null && !isLast) return;
          done();
          resolve(answer);
        } catch (error) {
          done();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const check = (): void => settle(question, false);
      const timer = setTimeout(() => settle(() => null, true), withinMs);
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(check);
      };
      this.waiting.add(check);
    });
  }

  private changed(object: Labelled | undefined): void {
    if (object !== undefined) this.notify(idOf(object));
  }

  private notify(id: string): void {
    for (const check of [...this.waiting]) check();
    if (id !== '') this.listener(id);
  }
}

/** Whoever has a namespace could name an object in it after a sandbox that is elsewhere. */
function isIn(namespace: string | undefined): (item: Versioned) => boolean {
  return (item) => namespace === undefined || item.namespace === namespace;
}

function idOf(object: Labelled): string {
  return object.labels[SANDBOX_ID] ?? '';
}

/** Objects of one kind, by the id of their sandbox. */
class Kept<Item extends Versioned & Labelled> {
  private readonly byKey = new Map<string, Item>();
  private readonly byId = new Map<string, Item[]>();

  of(id: string): readonly Item[] {
    return this.byId.get(id) ?? [];
  }

  all(): Item[] {
    return [...this.byKey.values()];
  }

  put(item: Item): void {
    const key = keyOf(item);
    const known = this.byKey.get(key);
    if (known !== undefined && known.uid === item.uid && !isNewer(item, known)) return;
    if (known !== undefined) this.drop(known);
    this.byKey.set(key, item);
    this.byId.set(idOf(item), [...this.of(idOf(item)), item]);
  }

  remove(item: Item): void {
    const known = this.byKey.get(keyOf(item));
    if (known !== undefined && known.uid === item.uid) this.drop(known);
  }

  /** @returns the ids of which something changed */
  replace(items: readonly Item[]): Set<string> {
    const before = new Map(this.byKey);
    this.byKey.clear();
    this.byId.clear();
    for (const item of items) this.put(item);
    const changed = new Set<string>();
    for (const item of [...before.values(), ...items])
      if (before.get(keyOf(item))?.resourceVersion !== this.byKey.get(keyOf(item))?.resourceVersion)
        changed.add(idOf(item));
    return changed;
  }

  private drop(item: Item): void {
    this.byKey.delete(keyOf(item));
    const rest = this.of(idOf(item)).filter((each) => each !== item);
    if (rest.length === 0) this.byId.delete(idOf(item));
    else this.byId.set(idOf(item), rest);
  }
}

function keyOf({ namespace, name }: Versioned): string {
  return `${namespace}/${name}`;
}

/** Versions of one object can be compared: they count up. */
function isNewer(item: Versioned, known: Versioned): boolean {
  return BigInt(item.resourceVersion) > BigInt(known.resourceVersion);
}
