import { ROLES } from '../../../kernel/auth';
import { mayChangeRole, mayRemove } from './members.service';

/** actor: which change of another's role they may make, `from>to`. */
const CHANGES = {
  member: [],
  admin: ['member>member', 'member>admin'],
  owner: [
    'member>member',
    'member>admin',
    'member>owner',
    'admin>member',
    'admin>admin',
    'admin>owner',
    'owner>member',
    'owner>admin',
    'owner>owner',
  ],
};

/** actor: whom they may remove. */
const REMOVALS = { member: [], admin: ['member'], owner: ['member', 'admin', 'owner'] };

describe('who may do what to members', () => {
  it.each(ROLES)('%s changes exactly these roles', (actor) => {
    const allowed = ROLES.flatMap((from) =>
      ROLES.filter((to) => mayChangeRole(actor, from, to)).map((to) => `${from}>${to}`),
    );
    expect(allowed).toEqual(CHANGES[actor]);
  });

  it.each(ROLES)('%s removes exactly these', (actor) => {
    expect(ROLES.filter((target) => mayRemove(actor, target))).toEqual(REMOVALS[actor]);
  });
});
