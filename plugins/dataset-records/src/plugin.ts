/** Decisions that are in the `jev-choice/1.0` format already: originals, or whole questions with all their versions. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineDataset, ORIGINAL, type Dataset, type UpstreamFile } from '@holdfast/core';
import { z } from 'zod';
import { pins } from './pins.ts';
import { readFolder } from './read-folder.ts';
import { readPlain } from './read-plain.ts';

const options = z
  .strictObject({
    file: z
      .string()
      .min(1)
      .optional()
      .describe('JSONL file (plain, gzip or zstd) or folder of a jev-release, from the folder of the recipe.'),
    published: z
      .enum(Object.keys(pins) as [keyof typeof pins])
      .optional()
      .describe('A published file with its pin, which holdfast fetch downloads.'),
    originals_only: z
      .boolean()
      .default(false)
      .describe('Take only the v0_original records of the file, to make new versions of them.'),
    title: z.string().default('Decision records').describe('What reports call it.'),
    license: z.string().default('as the file says').describe('Licence of the records.'),
  })
  .refine(({ file, published }) => (file === undefined) !== (published === undefined), {
    error: 'name either a file or a published one',
  });

export default defineDataset({
  name: 'records',
  summary: 'Reads decisions in the jev-choice/1.0 format, originals or already perturbed, and takes them as they are.',
  options,
  create: ({ file, published, originals_only, title, license }, { folder }): Dataset => {
    const isFolder =
      file !== undefined && statSync(resolve(folder, file), { throwIfNoEntry: false })?.isDirectory() === true;
    return {
      info:
        published === undefined
          ? { id: 'records', title, homepage: '', license, labels: {} }
          : { ...pins[published].info, labels: {} },
      upstream: published === undefined ? ownFiles(file!, isFolder) : pins[published].files,
      units: files => [{ id: 'records', files }],
      async *read({ files }, signal) {
        const lines = isFolder ? readFolder(resolve(folder, file), signal) : readPlain(files[0]!, signal);
        for await (const { record, place } of lines) {
          if (originals_only && record.version !== ORIGINAL) {
            yield { skipped: 'a perturbed version, left out by originals_only', place };
          } else {
            yield { record };
          }
        }
      },
    };
  },
});

/** What is locked: the file, or the manifest and the shards of a release folder. */
function ownFiles(file: string, isFolder: boolean): UpstreamFile[] {
  if (!isFolder) return [{ name: file, location: 'recipe' }];
  return ['manifest.json', '*.gz'].map(name => ({ name: join(file, name), location: 'recipe' }));
}
