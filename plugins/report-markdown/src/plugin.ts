/** Writes the tables of the CITY-Jev card as one Markdown file, with what a reader must know of the numbers. */
import { defineReport } from '@holdfast/core';
import { z } from 'zod';
import { document } from './document.ts';

export default defineReport({
  name: 'markdown',
  summary: "Writes the CITY-Jev card's tables as a Markdown file.",
  options: z.strictObject({
    file: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a plain file name')
      .default('report.md')
      .describe('Name of the file in the run folder.'),
  }),
  create: ({ file }) => ({
    write: (report, sink) => sink.write(file, document(report)),
  }),
});
