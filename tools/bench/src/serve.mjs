// A System One server that answers at once, or after some milliseconds, from a process of its own.
import { createServer } from 'node:http';

const [delay = '0'] = process.argv.slice(2);

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', piece => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces);
    // The options of the bench records: three, in either order or under opaque ids.
    const from = body.lastIndexOf('"criteria":');
    const ids = Array.from(body.toString('utf8', from).matchAll(/"((?:-?\d)|option_\d+)":/g), match => match[1]);
    const probabilities = ids.map((id, at) => `"${id}":${[0.6, 0.3, 0.1][at] ?? 0}`).join(',');
    const text =
      `{"model":"bench-1","answers":{"decision":{"type":"choice","choice":"${ids[0]}","probabilities":{${probabilities}},` +
      `"confidence":0.4}},"usage":{"input_tokens":${body.length >> 2},"output_tokens":20}}`;
    const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    if (delay === '0') send();
    else setTimeout(send, Number(delay));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
