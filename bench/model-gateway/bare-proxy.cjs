// What a proxy costs that does nothing: it reads the body, asks by undici, and passes the answer on.
const { createServer } = require('node:http');
const { Pool } = require('undici');

const pool = new Pool(process.env.TARGET, { pipelining: 1 });

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { 'content-type': type, authorization } = request.headers;
    const headers = { 'content-type': type, authorization };
    pool
      .stream({ method: 'POST', path: request.url, headers, body: Buffer.concat(parts) }, (answer) => {
        const { connection: _hop, 'transfer-encoding': _coding, ...passed } = answer.headers;
        return response.writeHead(answer.statusCode, passed);
      })
      .catch(() => response.destroy());
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
