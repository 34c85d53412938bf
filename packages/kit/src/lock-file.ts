import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** What tells this process from a later one with the same number; null where the system does not say. */
  readonly born: string | null;
}

/**
 * Keeps every other process out until the returned function is called, or this process is gone: the lock of a process
 * that was killed is taken over. Throws what `refused` makes where another one is at work, and the system's own errors.
 */
export async function lockFile(file: string, refused: (holder: string) => Error): Promise<() => Promise<void>> {
  const own = `${file}.${randomUUID()}`;
  const holder: Holder = { pid: process.pid, host: hostname(), born: bornOf(process.pid) };
  try {
    await writeFile(own, JSON.stringify(holder));
    // A link is made or not made, also between processes: whoever makes it holds the lock.
    if (!(await linked(own, file))) await takeOver(own, file, refused);
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
  return () => rm(file, { force: true });
}

async function takeOver(own: string, file: string, refused: (holder: string) => Error): Promise<void> {
  const guard = `${file}.takeover`;
  // Two processes that both find a dead holder must not remove each other's new lock.
  await mkdir(guard).catch(() => {
    throw refused('another process');
  });
  try {
    const holder = await readHolder(file);
    if (holder !== null && isAtWork(holder)) throw refused(`process ${holder.pid} on ${holder.host}`);
    await unlink(file).catch(() => {});
    if (!(await linked(own, file))) throw refused('another process');
  } finally {
    await rmdir(guard).catch(() => {});
  }
}

async function linked(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAtWork({ pid, host, born }: Holder): boolean {
  // Of another machine nothing can be known: its lock is respected.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return born === null || bornOf(pid) === born;
}

/** The start time of a process in the kernel's ticks (Linux); null elsewhere or when it is gone. */
function bornOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything: fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing any more.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
