/** Writes the whole report as one JSON file, with metrics keyed by name. */
import { defineReport } from '@holdfast/core';
import { z } from 'zod';
import { document } from './document.ts';

export default defineReport({
  name: 'json',
  summary: 'Writes the whole report as a JSON file.',
  options: z.strictObject({
    file: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a plain file name')
      .default('report.json')
      .describe('Name of the file in the run folder.'),
  }),
  create: ({ file }) => ({
    write: (report, sink) => sink.write(file, document(report)),
  }),
});
