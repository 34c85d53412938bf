import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectFile } from '@holdfast/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { settleMapping } from './settle-mapping.ts';

const folder = await mkdtemp(join(tmpdir(), 'settle-'));
afterAll(() => rm(folder, { recursive: true }));

async function inspected(text: string) {
  const path = join(folder, 'a.csv');
  await writeFile(path, text);
  return inspectFile(path, { signal: new AbortController().signal });
}

/** Somebody who gives these answers. */
function person(...answers: string[]) {
  const asked: string[] = [];
  const ask = (question: string) => {
    asked.push(question);
    const answer = answers.shift();
    return answer === undefined ? Promise.reject(new Error(`nobody answers ${question}`)) : Promise.resolve(answer);
  };
  return { asked, ask };
}

describe('what is unclear is asked', () => {
  it('until the answer is a column', async () => {
    const { asked, ask } = person('what', 'input', 'b', '');
    const said = await settleMapping(
      await inspected('prompt,text,input,b\nx,u,y,1\nz,v,w,0\n'),
      {},
      { ask, sure: false },
    );
    expect(said).toEqual({ gold: 'input', state: ['b'], instructionsText: 'Choose the option that fits.' });
    expect(asked).toHaveLength(4);
  });

  it('or a list of options', async () => {
    const { ask } = person('a, b', 'Which is it?');
    const file = await inspected('text,gold,options\nx,a,what\ny,b,ever\n');
    const said = await settleMapping(file, {}, { ask, sure: false });
    expect(said).toEqual({ options: ['a', 'b'], instructionsText: 'Which is it?' });
  });

  it('and what can be taken for granted is not, where the user is sure', async () => {
    const { ask } = person();
    expect(await settleMapping(await inspected('text,label\nx,a\ny,b\n'), {}, { ask, sure: true })).toEqual({});
  });

  it('and an empty answer ends it', async () => {
    const { ask } = person('');
    await expect(settleMapping(await inspected('a,b\nx,y\n'), {}, { ask, sure: true })).rejects.toThrow(
      '--gold COLUMN',
    );
  });
});
