#!/usr/bin/env -S unshare --net -- node
/**
 * Runs the browser `CHROMIUM` with the given options in a network namespace with nothing but loopback, in which port 1080
 * leads to the Unix socket `PROXY_SOCKET`. Ends when the browser does.
 */
import { execFileSync, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const { CHROMIUM, PROXY_SOCKET } = process.env;
execFileSync('ip', ['link', 'set', 'lo', 'up']);
const relay = createServer((client) => pipeline(client, connect(PROXY_SOCKET), client, () => undefined));
relay.listen(1080, '127.0.0.1', () => {
  // Playwright speaks to the browser by the last two.
  const stdio = Array(5).fill('inherit');
  const browser = spawn(CHROMIUM, process.argv.slice(2), { stdio });
  browser.once('exit', (code) => process.exit(code ?? 1));
});
