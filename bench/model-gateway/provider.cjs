// A provider that answers at once, or after DELAY_MS.
const { createServer } = require('node:http');

const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
const message = { role: 'assistant', content: 'Hello from the model.' };
const whole = JSON.stringify({
  id: 'a',
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
});
const pieces = ['Hello', ' from', ' the', ' model.'].map(
  (content) => `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content } }] })}\n\n`,
);
const last = `data: ${JSON.stringify({ id: 'a', choices: [], usage })}\n\ndata: [DONE]\n\n`;

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { stream } = JSON.parse(Buffer.concat(parts).toString());
    const answer = () => {
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      if (!stream) return response.end(whole);
      for (const piece of pieces) response.write(piece);
      response.end(last);
    };
    const delay = Number(process.env.DELAY_MS);
    if (delay > 0) setTimeout(answer, delay);
    else answer();
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
