// Tags and targets of every project, from its folder. No package declares either, so none can forget or fake them.
import { basename, dirname } from 'node:path';
import { createNodesFromFiles } from '@nx/devkit';

const cached = command => ({ command, cache: true, inputs: ['default', '^default'] });

/** The tags of the project in `root`: its floor, and for a plugin its kind. */
export function tagsOf(root) {
  const [top] = root.split('/');
  const folder = basename(root);
  if (top === 'plugins') return ['floor:plugin', `kind:${folder.split('-')[0]}`];
  if (top === 'tools') return ['floor:tools'];
  return [`floor:${folder}`];
}

function projectOf(file) {
  const root = dirname(file);
  const targets = {
    test: cached(`vitest run ${root}`),
    lint: cached(`eslint ${root}`),
  };
  if (!root.startsWith('tools/')) {
    targets.build = {
      ...cached(`tsc -b ${root}/tsconfig.json`),
      dependsOn: ['^build'],
      outputs: ['{projectRoot}/dist'],
    };
  }
  return { projects: { [root]: { tags: tagsOf(root), targets } } };
}

export const createNodesV2 = [
  '{packages,plugins,tools}/*/package.json',
  (files, options, context) => createNodesFromFiles(projectOf, files, options, context),
];
