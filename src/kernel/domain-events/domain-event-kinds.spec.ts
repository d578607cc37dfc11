import { z } from 'zod';
import { DOMAIN_EVENT_KINDS } from './kinds/event-kinds';
import { OnDomainEvent } from './on-domain-event';
import { DomainEventKinds } from './domain-event-kinds';

const ORG = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';

const kinds = new DomainEventKinds({
  'acme.spent': z
    .strictObject({ department: z.string(), dollars: z.number(), conversation_id: z.string().optional() })
    .refine(({ dollars }) => dollars !== 13, 'unlucky'),
});
const spent = (fields: object) => kinds.eventOf('acme.spent', ORG, { department: 'tools', ...fields });

describe('events of extensions', () => {
  it('have what their schema declares, and the organization', () => {
    expect(spent({ dollars: 5, secret: 'x', conversation_id: CONVERSATION.toUpperCase() })).toEqual({
      kind: 'acme.spent',
      org_id: ORG,
      department: 'tools',
      dollars: 5,
      conversation_id: CONVERSATION,
    });
  });

  it('are read as they were stored, with the trace of a change', () => {
    const stored = { ...spent({ dollars: 5 }), trace_context: { traceparent: '00' } };
    expect(kinds.read(stored)).toEqual(spent({ dollars: 5 }));
  });

  it('have texts that can be stored', () => {
    expect(spent({ dollars: 5, department: 'a\u0000' })).toMatchObject({ department: 'a\uFFFD' });
  });

  it.each([
    [{ dollars: 'many' }, 'acme.spent does not fit its schema: dollars: Invalid input: expected number'],
    [{ dollars: 13 }, 'acme.spent does not fit its schema: : unlucky'],
    [{ dollars: 1, conversation_id: 'one' }, 'acme.spent does not fit its schema: conversation_id: must be'],
    [{ dollars: 1, department: 'x'.repeat(16_384) }, 'bytes; 16384 are the most'],
  ])('%j are refused: %s', (fields, sentence) => {
    expect(() => spent(fields)).toThrow(sentence);
  });

  it('are refused when what was written would not be read again', () => {
    const paid = new DomainEventKinds({ 'acme.paid': z.object({ late: z.stringbool() }) });
    expect(() => paid.eventOf('acme.paid', ORG, { late: 'yes' })).toThrow(
      'The event acme.paid does not fit its schema: late: Invalid input: expected string, received boolean.',
    );
  });

  it('are passed over when a schema throws', () => {
    const broken = z.object({ of: z.string() }).refine(() => {
      throw new Error('broken');
    });
    const event = { kind: 'acme.broken', org_id: ORG, of: 'x' };
    expect(new DomainEventKinds({ 'acme.broken': broken }).read(event)).toBeNull();
  });

  it('are of a kind that an extension has, and not of the service', () => {
    for (const kind of ['acme.earned', 'member.removed'])
      expect(() => kinds.eventOf(kind, ORG, {})).toThrow(`No extension has events of the kind ${kind}.`);
  });

  it('are named by listeners, while * is all of the service', () => {
    expect(kinds.matching('acme.spent')).toEqual(['acme.spent']);
    expect(kinds.matching('acme.*')).toEqual(['acme.spent']);
    expect(kinds.matching('*')).toEqual(DOMAIN_EVENT_KINDS.filter((kind) => kind !== 'audit.recorded'));
    expect(kinds.matching('acme.earned')).toEqual([]);
  });

  it('are told from those of the service by types', () => {
    OnDomainEvent(['acme.spent', 'other.earned']);
    OnDomainEvent('acme.*', { after: 'commit', name: 'acme' });
    // @ts-expect-error the service has no such kind
    OnDomainEvent('member.spent');
    // @ts-expect-error nor is one of its kinds among those of extensions
    OnDomainEvent(['acme.spent', 'member.added']);
  });

  it('cost nothing without extensions, and are then not known', () => {
    const without = new DomainEventKinds();
    expect(without.names).toEqual(DOMAIN_EVENT_KINDS);
    expect(without.read(spent({ dollars: 5 }))).toBeNull();
  });
});
