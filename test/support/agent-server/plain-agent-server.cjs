/*
 * A minimal agent server: answers probes, accepts conversations without storing them. Files in its home change its
 * behaviour: `mute` leaves health checks unanswered, `dead` makes it exit at once, `busy` has every conversation running,
 * `slow` makes it end a while after it is told to, and say so in `ended`.
 * A last line `// mute` in this file mutes all that run it: of the host's files, sandboxes see only this one everywhere.
 * It says where it listens, and writes its environment to `environment.json`, and the ids of conversations line by line to `started`.
 */
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');

const option = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1];
const home = process.env.HOME;
writeFileSync(join(home, 'environment.json'), JSON.stringify(process.env));
if (existsSync(join(home, 'dead'))) process.exit(3);
process.on('SIGTERM', () => {
  const end = () => {
    writeFileSync(join(home, 'ended'), '');
    process.exit(0);
  };
  if (existsSync(join(home, 'slow'))) setTimeout(end, 500);
  else process.exit(0);
});

const read = (request, then) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part) => (text += part));
  request.on('end', () => then(JSON.parse(text)));
};

createServer((request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.url === '/health') {
    if (existsSync(join(home, 'mute')) || readFileSync(__filename, 'utf8').endsWith('// mute\n')) return;
    answer(200, { status: 'ok' });
  } else if (request.url === '/server_info') answer(200, { idle_time: process.uptime() });
  else if (request.headers['x-session-api-key'] !== process.env.OH_SESSION_API_KEYS_0)
    answer(401, { detail: 'Unauthorized' });
  else if (request.method === 'POST' && request.url === '/api/skills')
    answer(200, { skills: [], sources: {} });
  else if (request.method === 'POST' && request.url === '/api/conversations')
    read(request, ({ conversation_id: id, tags }) => {
      appendFileSync(join(home, 'started'), `${id}\n`);
      answer(201, { id, tags, execution_status: 'idle' });
    });
  else if (/^\/api\/conversations\/[\w-]+$/.test(request.url) && existsSync(join(home, 'busy')))
    answer(200, { id: request.url.split('/').at(-1), execution_status: 'running' });
  else answer(404, { detail: 'Not Found' });
}).listen(Number(option('port')), option('host'), () => {
  console.log(`listening on ${option('host')}:${option('port')}`);
});
