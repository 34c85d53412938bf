import type { ReleaseManifest } from '@holdfast/kit';
import type { Manifest } from './manifest.ts';

/** What each operator of the card does, for the dataset card. Unknown operations are named and no more. */
const operations: Readonly<Record<string, string>> = {
  reverse_options: 'options and their descriptions in reverse order',
  opaque_ids: 'opaque option ids; the old id stands nested in the description',
  serialize_state: 'the state as JSON text inside a string',
  insert_context: 'material from another case of another group, with an instruction that limits the scope',
  paraphrase_instructions: 'the instructions reworded',
};

/** The README.md of a release, from what was built: counts, fields, operators, limits. */
export function datasetCard(manifest: Manifest, release: ReleaseManifest): string {
  const rows = (lines: readonly string[][]) =>
    lines.map(cells => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
  const datasets = manifest.datasets.map(({ dataset, title, origin, questions, skipped, license }) => [
    dataset,
    title,
    origin === 'sample' ? 'rows written for Holdfast, not the benchmark' : origin,
    String(questions),
    String(skipped.reduce((sum, { count }) => sum + count, 0)),
    license,
  ]);
  const perVersion = manifest.versions.map(version => {
    const operator = manifest.operators.find(found => found.version === version);
    const records = manifest.datasets.reduce(
      (sum, dataset) => sum + (dataset.versions.find(found => found.version === version)?.records ?? 0),
      0,
    );
    const change = operator === undefined ? 'as given' : (operations[operator.operation] ?? operator.operation);
    return [version, version === 'v0_original' ? 'the original question' : change, String(records)];
  });
  const files = release.shards.map(({ path, records, sha256 }) => [path, String(records), sha256]);
  return `# ${manifest.recipe}

${manifest.questions} decision questions in ${manifest.versions.length} versions each: ${manifest.records} records in the format \`jev-choice/1.0\`, made by Holdfast with seed ${manifest.seed}. Every version asks the same question in another form; the right answer is the same.

## Sources

| Dataset | Title | Origin | Questions | Skipped cases | Licence |
| --- | --- | --- | ---: | ---: | --- |
${rows(datasets)}

Scores on adapted questions are not the official scores of the upstream benchmarks.

## Versions

| Version | Change | Records |
| --- | --- | ---: |
${rows(perVersion)}

## Files

| Shard | Records | SHA-256 |
| --- | ---: | --- |
${rows(files)}

Each shard is gzip of UTF-8 lines, one JSON object a line; the versions of a question stand next to each other in one shard. SHA-256 of the decompressed stream, shards in order: \`${release.stream_sha256}\`. \`holdfast verify\` checks hashes, counts and every operator's promises.

## Fields

\`id\`, \`base_id\`, \`group_id\` (questions of one trajectory or task: keep them on one side of a split), \`dataset\`, \`split\`, \`local_partition\`, \`scenario\`, \`decision_type\`, \`tags\`, \`state\`, \`instructions\`, \`options\` (\`id\`, \`canonical_id\`, \`description\`), \`gold\` (an option's \`id\` in that version), \`primitive\`, \`source\`, \`metadata\`, \`version\`, \`actual_operator\`, \`perturbation\`, \`context_provenance\`, \`labels\` (reporting categories). Do not parse and print states: their spelling is part of a version, and integer-like option ids lose their order in many JSON readers.

## Limits

The versions were made by rule and checked by rule; they were not read by people one by one. Label distributions are those of the sources. Each source's own terms apply: see LICENSES.md.
`;
}

/** LICENSES.md of a release: the licence and attribution of each source. */
export function licenceFile({ datasets }: Manifest): string {
  const parts = datasets.map(({ dataset, title, license, origin, files }) => {
    const list = files.map(
      ({ name, bytes, sha256, revision }) =>
        `- \`${name}\`, ${bytes} bytes, SHA-256 \`${sha256}\`${revision === null ? '' : `, revision \`${revision}\``}`,
    );
    const by =
      origin === 'sample' ? 'Rows written for Holdfast in the format of this source.' : `Adapted from ${title}.`;
    return `## ${dataset}\n\n${by} Licence: ${license}.\n\n${list.join('\n')}\n`;
  });
  return `# Licences and attribution

No single licence covers this collection. Each source keeps its own; consult it before redistribution.

${parts.join('\n')}`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/[\p{Cc}<>]+/gu, ' ');
}
