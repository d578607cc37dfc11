import { TextReader } from '../../../src/agents/skills/manifest/text-reader';
import { manifest } from '../../support/git/marketplaces';

const LARGE = Buffer.from(
  manifest(Array.from({ length: 8_000 }, (_, n) => ({ name: `plugin-${n}`, description: 'x'.repeat(50) }))),
);
const SKILL = Buffer.from('---\nname: fine\n---\n');

describe('the texts of marketplaces', () => {
  it('are read in turns: those of one organization wait for no queue of another', async () => {
    const reader = new TextReader();
    let ofOther = 0;
    const others = Array.from({ length: 40 }, async () => {
      await reader.manifest('other', LARGE);
      ofOther += 1;
    });
    await Promise.race(others);
    for (let n = 0; n < 40; n++) {
      const { skill } = await reader.skill('own', SKILL, true, { name: 'fine', isFolder: false });
      expect(skill?.name).toBe('fine');
    }
    expect(ofOther).toBeLessThan(10);
    await Promise.all(others);
    await reader.onModuleDestroy();
  });
});
