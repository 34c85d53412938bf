import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  HoldfastError,
  ORIGINAL,
  perturbationOf,
  readRecord,
  type DecisionRecord,
  type Perturbation,
} from '@holdfast/core';
import { atLine, hashFile, isRelease, openBytes, readLines, readRelease, type Line } from '@holdfast/kit';
import type { DependencyContainer } from 'tsyringe';
import { compose, tokens } from './compose.ts';
import { findPlugins } from './find-plugins.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { sha256 } from './sha256.ts';

/** One thing that does not hold. */
export interface Finding {
  readonly severity: 'violation' | 'warning';
  readonly rule: string;
  /** `FILE:LINE`, or the file alone. */
  readonly place: string;
  readonly record_id: string | null;
  readonly message: string;
}

export interface VerifyResult {
  readonly file: string;
  readonly records: number;
  readonly questions: number;
  /** How many records of each version were held to the promises of an operator. */
  readonly checked: readonly { readonly version: string; readonly records: number; readonly operator: string | null }[];
  /** Whether a manifest was there to hold the bytes to. */
  readonly manifest: boolean;
  readonly violations: number;
  readonly warnings: number;
}

/**
 * Proves the promises of a file of records, ours or published: each record is valid, ids are unique, every question
 * has the same versions, each perturbed version names its original as parent, and each operator's `check` finds its
 * own promises kept; where a manifest lies beside it, hashes and counts too. Streams; tells each finding as it is met.
 * `path` is a run folder, a records folder, a release folder or a JSONL file. Throws RECORD_INVALID where a line is no record at all.
 */
export async function verify(
  path: string,
  onFinding: (finding: Finding) => void,
  container: DependencyContainer = compose(),
): Promise<VerifyResult> {
  const release = await isRelease(path);
  const { file, manifest } = release ? { file: path, manifest: null } : await locate(path);
  let unloaded = 0;
  const operators = await loadOperators(dirname(file), container, finding => {
    unloaded++;
    onFinding(finding);
  });
  const source: Source = release ? () => readRelease(path) : () => readLines(openBytes(file), { file });
  const check = new Verification(file, source, operators, onFinding);
  if (manifest !== null) await check.hashes(manifest);
  await check.records();
  check.groups(manifest);
  const result = check.result(manifest !== null || release);
  return { ...result, warnings: result.warnings + unloaded };
}

async function locate(path: string): Promise<{ file: string; manifest: Manifest | null }> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new HoldfastError(
      'UPSTREAM_INVALID',
      `${path} does not exist; give a run folder, a records folder or a JSONL file`,
    );
  }
  if (!found.isDirectory()) return { file: path, manifest: null };
  for (const folder of [join(path, 'records'), path]) {
    const file = join(folder, 'versions.jsonl');
    if ((await stat(file).catch(() => null)) === null) continue;
    return { file, manifest: await readManifest(folder) };
  }
  throw new HoldfastError(
    'UPSTREAM_INVALID',
    `${path} holds no versions.jsonl; give a run folder, a records folder or a file`,
  );
}

/** The installed operators by the version they make. Options do not change what an operator promises. */
async function loadOperators(
  folder: string,
  container: DependencyContainer,
  onFinding: (finding: Finding) => void,
): Promise<Map<string, Perturbation>> {
  const load = container.resolve(tokens.loadPlugin);
  const operators = new Map<string, Perturbation>();
  for (const found of await findPlugins(folder)) {
    if (found.kind !== 'perturbation') continue;
    try {
      const { plugin } = await load('perturbation', found.name, folder);
      const operator = plugin.create(plugin.options.parse({}), { env: () => undefined, folder });
      operators.set(operator.version, operator);
    } catch (error) {
      // What it promises stays unproved, and that must be seen.
      const message = `its promises are not checked: ${(error as Error).message}`;
      onFinding({ severity: 'warning', rule: 'operator.load', place: found.package, record_id: null, message });
    }
  }
  return operators;
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

type Later = Place & { readonly file: string; readonly line: number };

interface Group {
  readonly versions: Set<string>;
  /** Where its original stands; null until it is met. */
  original: Place | null;
}

/** The lines to verify, from the start each time; a line may know its own file. */
type Source = () => AsyncIterable<Line & { readonly file?: string }>;

class Verification {
  readonly #file: string;
  readonly #source: Source;
  readonly #operators: ReadonlyMap<string, Perturbation>;
  readonly #onFinding: (finding: Finding) => void;
  readonly #ids = new Set<string>();
  readonly #groups = new Map<string, Group>();
  readonly #counts = new Map<string, number>();
  #records = 0;
  #violations = 0;
  #warnings = 0;

  constructor(
    file: string,
    source: Source,
    operators: ReadonlyMap<string, Perturbation>,
    onFinding: (finding: Finding) => void,
  ) {
    this.#file = file;
    this.#source = source;
    this.#operators = operators;
    this.#onFinding = onFinding;
  }

  async hashes(manifest: Manifest): Promise<void> {
    for (const name of ['base.jsonl', 'versions.jsonl'] as const) {
      const file = join(dirname(this.#file), name);
      const { sha256 } = await hashFile(file);
      const expected = manifest.files[name];
      if (sha256 === expected.sha256) continue;
      this.#find('manifest.hash', file, null, `its SHA-256 is ${sha256}, not ${expected.sha256} as in the manifest`);
    }
  }

  /** One pass: every record against its original, which is nearly always the line read before it. */
  async records(): Promise<void> {
    let original: DecisionRecord | null = null;
    const later: Later[] = [];
    for await (const { bytes, number, offset, file = this.#file } of this.#source()) {
      const record = this.#read(bytes, file, number, original);
      const place = `${file}:${number}`;
      this.#records++;
      this.#count(record, place, { offset, length: bytes.byteLength });
      if (record.version === ORIGINAL) {
        original = record;
        if (record.perturbation !== undefined)
          this.#find('pair.perturbation', place, record.id, 'an original has a perturbation');
      } else if (original !== null && original.base_id === record.base_id) {
        this.#pair(original, record, place);
      } else {
        later.push({ file, line: number, offset, length: bytes.byteLength });
      }
    }
    if (later.length > 0) await this.#pairLater(later);
  }

  /** Every question has every version. */
  groups(manifest: Manifest | null): void {
    const planned = manifest?.versions ?? [...this.#counts.keys()].sort();
    const gaps = new Map(
      manifest?.operators.map(({ version, inapplicable, violations }) => [version, inapplicable + violations]),
    );
    for (const version of planned) {
      const missing = [...this.#groups].filter(([, group]) => !group.versions.has(version)).map(([base_id]) => base_id);
      if (missing.length <= (gaps.get(version) ?? 0)) continue;
      const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
      this.#find('group.complete', this.#file, null, `question ${missing[0]}${more} has no ${version}`);
    }
    if (manifest === null || manifest.records === this.#records) return;
    this.#find(
      'manifest.count',
      this.#file,
      null,
      `it has ${this.#records} records, not ${manifest.records} as in the manifest`,
    );
  }

  result(manifest: boolean): VerifyResult {
    return {
      file: this.#file,
      records: this.#records,
      questions: this.#groups.size,
      checked: [...this.#counts].sort().map(([version, records]) => ({
        version,
        records,
        operator: this.#operators.get(version)?.operation ?? null,
      })),
      manifest,
      violations: this.#violations,
      warnings: this.#warnings,
    };
  }

  #read(bytes: Uint8Array, file: string, line: number, like: DecisionRecord | null = null): DecisionRecord {
    try {
      return readRecord(bytes, { like });
    } catch (error) {
      throw atLine(error, { file, line, bytes });
    }
  }

  #count({ id, base_id, version }: DecisionRecord, place: string, where: Place): void {
    if (this.#ids.has(id)) this.#find('id.unique', place, id, `the id ${id} stands twice`);
    this.#ids.add(id);
    this.#counts.set(version, (this.#counts.get(version) ?? 0) + 1);
    let group = this.#groups.get(base_id);
    if (group === undefined) this.#groups.set(base_id, (group = { versions: new Set(), original: null }));
    if (group.versions.has(version))
      this.#find('group.version', place, id, `question ${base_id} has a second ${version}`);
    group.versions.add(version);
    if (version === ORIGINAL) group.original ??= where;
  }

  #pair(original: DecisionRecord, record: DecisionRecord, place: string): void {
    const operator = this.#operators.get(record.version);
    if (operator !== undefined) {
      for (const { severity, rule, message } of operator.check(original, record, { sha256 })) {
        this.#find(rule, place, record.id, message, severity);
      }
      return;
    }
    // Without its operator at hand, only what holds for every version can be proved.
    const parent = perturbationOf(record)?.parent_id;
    if (parent !== original.id)
      this.#find('pair.parent', place, record.id, `its parent is ${parent ?? 'not named'}, not ${original.id}`);
  }

  /**
   * Records whose original does not lie beside them: fetched by their places in the stream, which is spooled to a
   * temporary file, since it may come from compressed shards.
   */
  async #pairLater(later: readonly Later[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-verify-'));
    const handle = await open(join(folder, 'spool'), 'wx+');
    try {
      for await (const { bytes, offset } of this.#source()) await handle.write(bytes, 0, bytes.byteLength, offset);
      const at = async ({ offset, length }: Place, file: string, line: number) => {
        const bytes = Buffer.allocUnsafe(length);
        await handle.read(bytes, 0, length, offset);
        return this.#read(bytes, file, line);
      };
      for (const { file, line, ...where } of later) {
        const record = await at(where, file, line);
        const place = `${file}:${line}`;
        const original = this.#groups.get(record.base_id)?.original ?? null;
        if (original !== null) this.#pair(await at(original, file, line), record, place);
        else this.#find('group.original', place, record.id, `question ${record.base_id} has no ${ORIGINAL}`);
      }
    } finally {
      await handle.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  #find(
    rule: string,
    place: string,
    record_id: string | null,
    message: string,
    severity: Finding['severity'] = 'violation',
  ): void {
    if (severity === 'violation') this.#violations++;
    else this.#warnings++;
    this.#onFinding({ severity, rule, place, record_id, message });
  }
}
