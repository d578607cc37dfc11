/**
 * A certified OpenID provider in a process of its own. It says where it listens, and lets in whoever its parent names, once that
 * has said where browsers go back to.
 */
import { z } from 'zod';
import { RealProvider } from '../../test/support/identity/real-provider';

const toldSchema = z.object({ redirectUri: z.string(), people: z.array(z.string()), domain: z.string() });

async function main(): Promise<void> {
  const provider = await RealProvider.start();
  process.on('message', (message) => {
    const { redirectUri, people, domain } = toldSchema.parse(message);
    for (const name of people)
      provider.people.set(name, { email: `${name}@${domain}`, email_verified: true, name });
    void provider.serve({ redirect_uris: [redirectUri] }).then(() => process.send?.({ serves: true }));
  });
  process.on('disconnect', () => process.exit());
  const { issuer, host, clientId, clientSecret } = provider;
  process.send?.({ issuer, host, clientId, clientSecret });
}

void main();
