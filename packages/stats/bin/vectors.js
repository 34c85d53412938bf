#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const usage = 'Name at least one file of test vectors, as in: npm run vectors -- FILE...';

function refuse(sentence) {
  process.stderr.write(`${sentence.replace(/\p{Cc}/gu, '?')}\n`);
  process.exit(2);
}

const files = process.argv.slice(2);
if (files.length === 0 || files.some(file => file.startsWith('-'))) refuse(usage);

const { parseVectors, runVectors } = await import('../dist/vectors/main.js').catch(error =>
  error.code === 'ERR_MODULE_NOT_FOUND'
    ? refuse('The package is not built; run npm run build first.')
    : refuse(String(error)),
);

const vectors = files.flatMap(file => {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(`Cannot read ${file} (${error.code}).`);
  }
  try {
    return parseVectors(text);
  } catch (error) {
    return refuse(`Cannot use ${file}: ${error.message}`);
  }
});

const { lines, failed } = runVectors(vectors);
process.exitCode = failed > 0 ? 1 : 0;
process.stdout.write(`${lines.join('\n')}\n`);
