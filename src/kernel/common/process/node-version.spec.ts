import { nodeAdvice } from './node-version';

it.each(['20.19.0', '20.20.2', '21.7.3'])('says in one line that Node %s is out of support', (version) => {
  expect(nodeAdvice(version)).toBe(
    `Node ${version} is out of support, and the service about half as fast with it: install Node 24.`,
  );
});

it.each(['22.0.0', '24.22.3', '26.12.1'])('has nothing to say of Node %s', (version) => {
  expect(nodeAdvice(version)).toBeNull();
});
