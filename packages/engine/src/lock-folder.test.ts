import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from './lock-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps a second one out until it is released', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'RUN_LOCKED' });
  await unlock();
  await (
    await lockFolder(folder)
  )();
  expect(await readdir(folder)).toEqual([]);
});

it('takes over from a process that is gone, and from a torn lock, but not from another machine', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  const lock = (holder: object) => writeFile(join(folder, 'run.lock'), JSON.stringify(holder));
  await lock({ pid: child.pid, host: hostname(), born: '1' });
  await (
    await lockFolder(folder)
  )();
  await writeFile(join(folder, 'run.lock'), '{"pi');
  await (
    await lockFolder(folder)
  )();
  await lock({ pid: 1, host: 'elsewhere', born: null });
  await expect(lockFolder(folder)).rejects.toThrow('elsewhere');
});

it('does not take a later process with the same number for the holder', async () => {
  const holder = { pid: process.pid, host: hostname(), born: 'another time' };
  await writeFile(join(folder, 'run.lock'), JSON.stringify(holder));
  await (
    await lockFolder(folder)
  )();
});

it('lets one of many in', async () => {
  const holder = { pid: 2 ** 22 + 1, host: hostname(), born: '1' };
  await writeFile(join(folder, 'run.lock'), JSON.stringify(holder));
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
