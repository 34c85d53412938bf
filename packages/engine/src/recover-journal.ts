import { open, stat } from 'node:fs/promises';
import { readDecisions } from './read-decisions.ts';
import { storageFailed } from './storage.ts';

/** What a journal holds after a crash has been mended. */
export interface Recovered {
  /** Whether an unfinished line was cut from the end. */
  readonly cut: boolean;
}

const CHUNK = 64 * 1024;

/**
 * Cuts the unfinished line that a killed process may leave at the end of a model's two files, and decisions at the
 * end whose answer never arrived. Damage elsewhere is not touched: `readDecisions` names it.
 */
export async function recoverJournal(folder: string): Promise<Recovered> {
  const answers = await cutTornTail(`${folder}/answers.jsonl`);
  const decisions = await cutTornTail(`${folder}/decisions.jsonl`);
  const lost = await cutUnanswered(`${folder}/decisions.jsonl`, `${folder}/answers.jsonl`);
  return { cut: answers || decisions || lost };
}

/** Cuts what stands behind the last line feed. Looks at the end of the file only. */
async function cutTornTail(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (handle === null) return false;
    try {
      const { size } = await handle.stat();
      let end = size;
      const chunk = Buffer.allocUnsafe(CHUNK);
      while (end > 0) {
        const from = Math.max(0, end - CHUNK);
        const { bytesRead } = await handle.read(chunk, 0, end - from, from);
        const last = chunk.subarray(0, bytesRead).lastIndexOf(0x0a);
        if (last !== -1) {
          end = from + last + 1;
          break;
        }
        end = from;
      }
      if (end === size) return false;
      await handle.truncate(end);
      await handle.sync();
      return true;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw storageFailed(error, file);
  }
}

/** After a power cut the last decisions may have reached the disk before their answers: they are asked again. */
async function cutUnanswered(decisions: string, answers: string): Promise<boolean> {
  const end = await sizeOf(answers);
  let keep: number | null = null;
  for await (const { decision, offset } of readDecisions(decisions)) {
    const { answer } = decision;
    const arrived = answer === null || answer.offset + answer.length < end;
    if (arrived) keep = null;
    else keep ??= offset;
  }
  if (keep === null) return false;
  const handle = await open(decisions, 'r+');
  try {
    await handle.truncate(keep);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
