/**
 * Adds what an image has beside npm's packages to their bill of materials: Node.js and the packages of Debian.
 *
 *   npm sbom --sbom-format cyclonedx --omit dev | node scripts/images/add-system.mjs > sbom.json
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [, release] = /^VERSION_ID="?(\d+)/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
const installed = execFileSync(
  'dpkg-query',
  ['--show', '--showformat', '${Package} ${Version} ${Architecture}\\n'],
  {
    encoding: 'utf8',
  },
);

/** @param {string} line */
function debianPackage(line) {
  const [name, version, architecture] = line.split(' ');
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}

const node = process.versions.node;
const nodeComponent = {
  'bom-ref': `pkg:generic/node@${node}`,
  type: 'platform',
  name: 'node',
  version: node,
  purl: `pkg:generic/node@${node}`,
  cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
};

const bill = JSON.parse(readFileSync(0, 'utf8'));
bill.components.push(nodeComponent, ...installed.trim().split('\n').map(debianPackage));
process.stdout.write(`${JSON.stringify(bill)}\n`);
