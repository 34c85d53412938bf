import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from './storage.ts';

/** What one model went through in one session. */
export interface ModelWeather {
  readonly model: string;
  readonly concurrency: number;
  readonly decided: number;
  readonly failed: number;
  /** How often a request waited before it was tried again, and for how long in all, by the server's status. */
  readonly waits: readonly { readonly status: string; readonly count: number; readonly milliseconds: number }[];
}

/** One start of the command on a run folder. */
export interface Session {
  readonly started_at: string;
  readonly ended_at: string;
  readonly interrupted: boolean;
  readonly node: string;
  readonly platform: string;
  /** The recipe's path, so that its own plugins are found again when the run is scored later. */
  readonly recipe_file: string;
  readonly models: readonly ModelWeather[];
}

/** Facts of the clock and the place: kept apart from everything that is hashed or compared. */
export interface Weather {
  readonly sessions: readonly Session[];
}

/** The weather of a run folder; no sessions where there is none yet, or none that can be read. */
export async function readWeather(folder: string): Promise<Weather> {
  try {
    const { sessions } = JSON.parse(await readFile(join(folder, 'weather.json'), 'utf8')) as Partial<Weather>;
    return { sessions: sessions ?? [] };
  } catch {
    return { sessions: [] };
  }
}

/** Adds a session to weather.json. */
export async function addSession(folder: string, session: Session): Promise<void> {
  const { sessions } = await readWeather(folder);
  await writeWhole(join(folder, 'weather.json'), `${JSON.stringify({ sessions: [...sessions, session] }, null, 2)}\n`);
}
