/*
 * The least an agent server is: answers probes, knows no conversation. Files in its home change how it behaves:
 * `mute` leaves health checks unanswered, `dead` ends it at once. It writes its environment to `environment.json`.
 */
const { existsSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');

const option = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1];
const home = process.env.HOME;
writeFileSync(join(home, 'environment.json'), JSON.stringify(process.env));
if (existsSync(join(home, 'dead'))) process.exit(3);

createServer((request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.url === '/health') {
    if (existsSync(join(home, 'mute'))) return;
    answer(200, { status: 'ok' });
  } else if (request.url === '/server_info') answer(200, { idle_time: process.uptime() });
  else if (request.headers['x-session-api-key'] !== process.env.OH_SESSION_API_KEYS_0)
    answer(401, { detail: 'Unauthorized' });
  else answer(404, { detail: 'Not Found' });
}).listen(Number(option('port')), option('host'));
