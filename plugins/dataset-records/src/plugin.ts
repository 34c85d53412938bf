/** Decisions that are in the `jev-choice/1.0` format already: originals, or whole questions with all their versions. */
import { defineDataset, ORIGINAL, readRecord } from '@holdfast/core';
import { readJsonLines } from '@holdfast/kit';
import { z } from 'zod';

const options = z.strictObject({
  file: z.string().min(1).describe('JSONL file, plain or gzip, from the folder of the recipe.'),
  originals_only: z
    .boolean()
    .default(false)
    .describe('Take only the v0_original records of the file, to make new versions of them.'),
  title: z.string().default('Decision records').describe('What reports call it.'),
  license: z.string().default('as the file says').describe('Licence of the records.'),
});

export default defineDataset({
  name: 'records',
  summary: 'Reads decisions in the jev-choice/1.0 format, originals or already perturbed, and takes them as they are.',
  options,
  create: ({ file, originals_only, title, license }) => ({
    info: { id: 'records', title, homepage: '', license, labels: {} },
    upstream: [{ name: file, location: 'recipe' as const }],
    units: files => files.map(found => ({ id: found.name, files: [found] })),
    async *read(unit, signal) {
      const { path, name } = unit.files[0]!;
      for await (const line of readJsonLines(path, { signal, file: name })) {
        const record = line.read(readRecord);
        if (originals_only && record.version !== ORIGINAL) {
          yield { skipped: 'a perturbed version, left out by originals_only', place: `${name}:${line.number}` };
        } else {
          yield { record };
        }
      }
    },
  }),
});
