import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { texts } from '../../text';

export type Entry = Schemas['AuditLogEntry'];

const words = texts.audit;

/** What who did it is called. */
export function actorName({ actor }: Entry): string {
  const { kind, user_id, name, email } = actor;
  if (user_id === null) return words.actors[kind];
  return name?.trim() || email || words.erased;
}

/** Who did it, with what tells them from others of the name. */
export function Actor({ of }: { of: Entry }): JSX.Element {
  const { email, user_id, key_prefix } = of.actor;
  const name = actorName(of);
  return (
    <>
      {name}
      {email !== null && email !== name && <small class="below">{email}</small>}
      {email === null && user_id !== null && <small class="below">{user_id}</small>}
      {user_id === null && key_prefix !== null && <small class="below">{key_prefix}</small>}
    </>
  );
}

/** What it was done to. */
export function Target({ of: { target } }: { of: Entry }): JSX.Element {
  if (target === null) return <>–</>;
  return (
    <>
      {target.type}
      <small class="below">{target.id}</small>
    </>
  );
}

/** What became of it, and why. */
export function Outcome({ of: { outcome, code } }: { of: Entry }): JSX.Element {
  return (
    <>
      {outcome === 'success' ? words.outcomes.success : <mark>{words.outcomes[outcome]}</mark>}
      {code !== null && <small class="below">{code}</small>}
    </>
  );
}
